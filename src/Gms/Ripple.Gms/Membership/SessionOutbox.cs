using Ripple.Engine.Control;
using Ripple.Engine.Core;

namespace Ripple.Gms.Membership;

/// <summary>
/// What a host has to say on one connection and could not send at once, in order, in bounded memory. Bulk (catch-up, chunks) is not queued here: it is pulled when
/// the connection takes it. A peer that lets this overflow does not read: its connection is closed.
/// </summary>
internal sealed class SessionOutbox(IControlLink link)
{
    private const int BytesMax = 1_024 * 1_024;
    private readonly Queue<(ControlType Type, byte[] Body)> _queue = [];
    private long _bytes;

    public static void AddMemory(MemoryBudget budget) => budget.Add(MemoryScope.Connection, MemoryKind.Passing, "session: messages that wait for the link", 1, BytesMax);

    public bool IsEmpty => _queue.Count == 0;

    /// <summary>True once more waited than is allowed.</summary>
    public bool IsOverflowed { get; private set; }

    public void Send<T>(T message)
        where T : class, IControlMessage<T>
    {
        if (IsOverflowed || (_queue.Count == 0 && link.TrySend(message)))
        {
            return;
        }

        Enqueue(T.Type, ControlCodec.Encode(message));
    }

    /// <summary>As the other, for a body that many are sent: it must not change any more.</summary>
    public void Send(ControlType type, byte[] body)
    {
        if (IsOverflowed || (_queue.Count == 0 && link.TrySend((ushort)type, body)))
        {
            return;
        }

        Enqueue(type, body);
    }

    /// <summary>Sends what waits; true when nothing waits any more.</summary>
    public bool Flush()
    {
        while (_queue.TryPeek(out (ControlType Type, byte[] Body) next))
        {
            if (!link.TrySend((ushort)next.Type, next.Body))
            {
                return false;
            }

            _bytes -= next.Body.Length + 64;
            _queue.Dequeue();
        }

        return true;
    }

    private void Enqueue(ControlType type, byte[] body)
    {
        _bytes += body.Length + 64;
        if (_bytes > BytesMax)
        {
            IsOverflowed = true;
            return;
        }

        _queue.Enqueue((type, body));
    }
}
