using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Messages of one connection that could not be sent immediately, in order and in bounded memory. Bulk (catch-up, chunks) is not queued
/// here: the connection pulls it when it has room. A peer that lets this overflow does not read, so its connection is closed. Core thread.
/// </summary>
/// <param name="link">The connection.</param>
/// <param name="memory">The host's budget, which limits all outboxes together.</param>
/// <param name="makeRoom">Called when the budget has no room: closes the connection with the most waiting bytes; false if none has more
/// than this one.</param>
internal sealed class SessionOutbox(ILink link, TransientBudget memory, Func<bool> makeRoom)
{
    /// <summary>
    /// Eight maximum frames beyond the link's buffer: a peer that reads never comes close, and one that does not is closed soon.
    /// </summary>
    private const int BytesMax = 8 * WireLimits.ControlBytesMax;

    /// <summary>Approximate overhead of a message: its place in the queue and the array header.</summary>
    private const int MessageBytes = 64;

    private readonly Queue<(MessageType Type, byte[] Body)> _queue = [];

    /// <summary>Bytes waiting.</summary>
    public long Bytes { get; private set; }

    /// <summary>True once more data waited than is allowed.</summary>
    public bool IsOverflowed { get; private set; }

    public void Send<T>(T message)
        where T : class, IMessage<T>
    {
        if (!IsOverflowed && (_queue.Count > 0 || !link.TrySend(message)))
        {
            Enqueue(T.Type, MessageCodec.Encode(message));
        }
    }

    /// <summary>Sends a body shared by many connections: it must not be modified afterwards.</summary>
    public void Send(MessageType type, byte[] body)
    {
        if (!IsOverflowed && (_queue.Count > 0 || !link.TrySend((ushort)type, body)))
        {
            Enqueue(type, body);
        }
    }

    /// <summary>Sends waiting messages; true when none is left.</summary>
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

    /// <summary>Called when the connection is gone.</summary>
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
