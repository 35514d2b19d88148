using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;

namespace Ripple.Gms.Sessions;

/// <summary>
/// What goes out on one connection: urgent messages first, in order, then bulk in turns with the other connections, feed after feed. Core
/// thread.
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

    /// <param name="services">What all connections share.</param>
    /// <param name="link">The connection.</param>
    /// <param name="makeRoom">Closes the connection with most that waits, when the budget has no room; false when that is this one.</param>
    public ConnectionSender(SessionServices services, ILink link, Func<bool> makeRoom)
    {
        _core = services.Context.Core;
        _bulk = services.Bulk;
        _link = link;
        _outbox = new SessionOutbox(link, services.Memory, makeRoom);
        _lastTakenNs = _core.NowNs;
        _roomBytesMax = link.SendRoomBytes;
    }

    /// <summary>Told when more waits than may: the peer does not read.</summary>
    public Action? OnOverflow { get; set; }

    /// <summary>Bytes of messages that the link did not take yet.</summary>
    public long WaitingBytes => _outbox.Bytes;

    /// <summary>Sets what bulk there is; an earlier feed goes before a later one.</summary>
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

    /// <summary>Sends a body that was encoded once for many; it must not change any more.</summary>
    public void Send(MessageType type, byte[] body)
    {
        if (_isClosed)
        {
            return;
        }

        _outbox.Send(type, body);
        CheckOverflow();
    }

    /// <summary>The link takes something again.</summary>
    public void OnWritable()
    {
        _lastTakenNs = _core.NowNs;
        Pump();
    }

    /// <summary>Since when the link has not taken anything of what waits for it; now when nothing waits.</summary>
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

    /// <summary>Sends what is urgent; bulk has its turn at the end of this turn of the core, or of one of the next.</summary>
    public void Pump()
    {
        if (!_isClosed && _outbox.Flush() && !_isBulkWaiting)
        {
            _isBulkWaiting = true;
            _bulk.Add(this);
        }
    }

    /// <summary>It is this connection's turn.</summary>
    public void PumpBulk()
    {
        _isBulkWaiting = false;
        // A feed that reads may call back while it is pumped.
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

    /// <summary>Sends nothing more, gives the room back, and closes the link unless it is gone already.</summary>
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
