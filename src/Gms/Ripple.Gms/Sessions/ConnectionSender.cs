using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The output of one connection: urgent messages first, in order, then bulk in turns with other connections, its feeds in turns as well.
/// Core thread.
/// </summary>
internal sealed class ConnectionSender
{
    private readonly CoreLoop _core;
    private readonly BulkScheduler _bulk;
    private readonly ILink _link;
    private readonly SessionOutbox _outbox;
    private readonly int _roomBytesMax;
    private IBulkFeed[] _feeds = [];
    private int _turn;
    private int _lastRoomBytes;
    private long _lastTakenNs;
    private bool _isClosed;
    private bool _isPumping;
    private bool _isBulkWaiting;

    /// <param name="services">Services shared by all connections.</param>
    /// <param name="link">The connection.</param>
    /// <param name="makeRoom">Called when the budget has no room: closes the connection with the most waiting bytes; false if that is this
    /// one.</param>
    public ConnectionSender(SessionServices services, ILink link, Func<bool> makeRoom)
    {
        _core = services.Context.Core;
        _bulk = services.Bulk;
        _link = link;
        _outbox = new SessionOutbox(link, services.Memory, makeRoom);
        _lastTakenNs = _core.NowNs;
        _roomBytesMax = link.SendRoomBytes;
    }

    /// <summary>Called when more data waits than is allowed: the peer does not read.</summary>
    public Action? OnOverflow { get; set; }

    /// <summary>Bytes of messages that the link has not taken yet.</summary>
    public long WaitingBytes => _outbox.Bytes;

    /// <summary>Sets the bulk feeds. They take turns: each fills the link at most once before the others may.</summary>
    public void Feed(params IBulkFeed[] feeds) => _feeds = feeds;

    public void Send<T>(T message)
        where T : class, IMessage<T>
    {
        if (_isClosed)
        {
            return;
        }

        _outbox.Send(message);
        CheckOverflow();
    }

    /// <summary>Sends a body that was encoded once for many members; it must not be modified afterwards.</summary>
    public void Send(MessageType type, byte[] body)
    {
        if (_isClosed)
        {
            return;
        }

        _outbox.Send(type, body);
        CheckOverflow();
    }

    /// <summary>Called when the link accepts data again.</summary>
    public void OnWritable()
    {
        _lastTakenNs = _core.NowNs;
        Pump();
    }

    /// <summary>The time since which the link has taken none of the waiting data; the current time when nothing waits.</summary>
    public long StalledSinceNs()
    {
        int roomBytes = _link.SendRoomBytes;
        if (roomBytes > _lastRoomBytes || roomBytes >= _roomBytesMax)
        {
            _lastTakenNs = _core.NowNs;
        }

        _lastRoomBytes = roomBytes;
        return _lastTakenNs;
    }

    /// <summary>Sends urgent messages; bulk gets a turn at the end of this core turn or in a later one.</summary>
    public void Pump()
    {
        if (!_isClosed && _outbox.Flush() && !_isBulkWaiting)
        {
            _isBulkWaiting = true;
            _bulk.Add(this);
        }
    }

    /// <summary>Sends bulk; called at this connection's turn.</summary>
    public void PumpBulk()
    {
        _isBulkWaiting = false;
        // Guards against reentrancy: a feed may call back while it is pumped.
        if (_isClosed || _isPumping)
        {
            return;
        }

        _isPumping = true;
        if (_outbox.Flush())
        {
            for (int i = 0; i < _feeds.Length; i++)
            {
                if (!_feeds[(_turn + i) % _feeds.Length].Pump(_link))
                {
                    // The others come first when there is room again: one that never ends must not hold up what proves releases.
                    _turn = (_turn + i + 1) % _feeds.Length;
                    break;
                }
            }
        }

        _isPumping = false;
    }

    /// <summary>Stops sending, returns the reserved memory, and closes the link unless it is already gone.</summary>
    public void Close(string reason, bool isLinkGone)
    {
        _isClosed = true;
        _outbox.Close();
        if (!isLinkGone)
        {
            _link.Close(reason);
        }
    }

    private void CheckOverflow()
    {
        if (_outbox.IsOverflowed)
        {
            OnOverflow?.Invoke();
        }
    }
}

/// <summary>Bulk data that a control connection pulls when nothing urgent waits and it has room.</summary>
internal interface IBulkFeed
{
    /// <summary>Sends as much as fits; true when nothing more is left to send now.</summary>
    bool Pump(ILink link);
}

/// <summary>
/// Lets connections with bulk to send (values, catch-up releases, long answers) take turns, a few per core turn, so that 500 concurrent
/// fetches do not delay heartbeats, joins, packets and alarms. Core thread.
/// </summary>
internal sealed class BulkScheduler(CoreLoop core) : Agent, IDisposable
{
    /// <summary>Each fills at most its link's buffer, which takes about 0.1 ms.</summary>
    private const int ConnectionsPerTurn = 4;

    private readonly Queue<ConnectionSender> _waiting = [];

    /// <summary>Queues a connection for a turn; it must not be queued already.</summary>
    public void Add(ConnectionSender connection)
    {
        _waiting.Enqueue(connection);
        core.Activate(this);
    }

    public void Dispose()
    {
        Stop();
        _waiting.Clear();
    }

    protected internal override int DoWork()
    {
        int count = 0;
        while (count < ConnectionsPerTurn && _waiting.TryDequeue(out ConnectionSender? connection))
        {
            connection.PumpBulk();
            count++;
        }

        return count;
    }
}

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
