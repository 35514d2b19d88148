using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Sessions;

/// <summary>
/// What a host has to say on one connection and could not send at once, in order, in bounded memory. Bulk (catch-up, chunks) is not queued
/// here: it is pulled when the connection takes it. A peer that lets this overflow does not read: its connection is closed. Core thread.
/// </summary>
/// <param name="link">The connection.</param>
/// <param name="memory">The host's budget, which bounds all outboxes together.</param>
/// <param name="makeRoom">Closes the connection with most that waits, when the budget has no room; false when there is none with more than
/// this one.</param>
internal sealed class SessionOutbox(ILink link, TransientBudget memory, Func<bool> makeRoom)
{
    /// <summary>
    /// Eight of the longest frames beyond what the link buffers: a peer that reads never comes near, one that does not is closed soon.
    /// </summary>
    private const int BytesMax = 8 * WireLimits.ControlBytesMax;

    /// <summary>A message besides its body: its place in the queue and the array's head, about.</summary>
    private const int MessageBytes = 64;

    private readonly Queue<(MessageType Type, byte[] Body)> _queue = [];

    /// <summary>What waits.</summary>
    public long Bytes { get; private set; }

    /// <summary>True once more waited than is allowed.</summary>
    public bool IsOverflowed { get; private set; }

    public void Send<T>(T message)
        where T : class, IMessage<T>
    {
        if (!IsOverflowed && (_queue.Count > 0 || !link.TrySend(message)))
        {
            Enqueue(T.Type, MessageCodec.Encode(message));
        }
    }

    /// <summary>As the other, for a body that many are sent: it must not change any more.</summary>
    public void Send(MessageType type, byte[] body)
    {
        if (!IsOverflowed && (_queue.Count > 0 || !link.TrySend((ushort)type, body)))
        {
            Enqueue(type, body);
        }
    }

    /// <summary>Sends what waits; true when nothing waits any more.</summary>
    public bool Flush()
    {
        while (_queue.TryPeek(out (MessageType Type, byte[] Body) next))
        {
            if (!link.TrySend((ushort)next.Type, next.Body))
            {
                return false;
            }

            _queue.Dequeue();
            Free(next.Body.Length + MessageBytes);
        }

        return true;
    }

    /// <summary>The connection is gone.</summary>
    public void Close()
    {
        _queue.Clear();
        Free(Bytes);
    }

    private void Enqueue(MessageType type, byte[] body)
    {
        long bytes = body.Length + MessageBytes;
        IsOverflowed = Bytes + bytes > BytesMax;
        while (!IsOverflowed && !memory.TryTake(bytes))
        {
            IsOverflowed = !makeRoom();
        }

        if (!IsOverflowed)
        {
            Bytes += bytes;
            _queue.Enqueue((type, body));
        }
    }

    private void Free(long bytes)
    {
        Bytes -= bytes;
        memory.Return(bytes);
    }
}
