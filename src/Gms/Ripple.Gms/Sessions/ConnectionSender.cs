using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The output of one connection: urgent messages first, in order, then bulk in turns with other connections, in the order of its feeds.
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

    /// <summary>Sets the bulk feeds; earlier feeds are served first.</summary>
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
            foreach (IBulkFeed feed in _feeds)
            {
                if (!feed.Pump(_link))
                {
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
