using Ripple.Engine.Core;

namespace Ripple.Engine.Stack;

/// <summary>
/// A root sink: pulls from its feeds in priority order while its socket accepts datagrams, a train per call. Holds at most the packets that
/// the socket refused in one call. Belongs to the core thread.
/// </summary>
internal sealed class PortSink : Agent, IDatagramSink, IDisposable
{
    private readonly CoreLoop _core;
    private readonly IDatagramPort _port;
    private readonly FeedQueue _feeds = new();
    private BufferLease _refused;
    private NodeAddress _refusedTo;
    private int _refusedOffset;
    private int _refusedEnd;
    private int _refusedPacketBytes;
    private bool _isBlocked;

    /// <summary>Creates the root sink of a port. The port's owner disposes of the port, after this sink.</summary>
    public PortSink(CoreLoop core, IDatagramPort port)
    {
        _core = core;
        _port = port;
        _port.OnWritable = OnWritable;
    }

    /// <summary>Packets dropped because the socket was full and no buffer was free to keep them; repaired like any loss.</summary>
    public long Dropped { get; private set; }

    /// <inheritdoc/>
    public void Register(IDatagramFeed feed, PacketClass packetClass)
    {
        if (_feeds.Add(feed, packetClass) && !_isBlocked)
        {
            _core.Activate(this);
        }
    }

    /// <inheritdoc/>
    public void Unregister(IDatagramFeed feed) => _feeds.Remove(feed);

    /// <inheritdoc/>
    public void Dispose()
    {
        Stop();
        _port.OnWritable = null;
        _refused.Return();
        _refused = default;
    }

    /// <inheritdoc/>
    protected internal override int DoWork()
    {
        int sent = 0;
        if (!_refused.IsNone)
        {
            if (!TrySendRefused())
            {
                return 0;
            }

            sent++;
        }

        while (sent < _core.IoQuantum)
        {
            var slot = new DatagramSlot(_core.TrainScratch);
            if (!_feeds.TryPull(ref slot))
            {
                break;
            }

            sent += slot.Packets;
            int packetBytes = slot.IsTrain ? slot.PacketBytes : slot.Bytes.Length;
            if (Send(slot.To, slot.Bytes, packetBytes, out int doneBytes) == SendStatus.WouldBlock)
            {
                Keep(slot.To, slot.Bytes[doneBytes..], packetBytes);
                return 0;
            }
        }

        return sent;
    }

    private SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> bytes, int packetBytes, out int doneBytes)
    {
        if (bytes.Length > packetBytes)
        {
            return _port.SendTrain(to, bytes, packetBytes, out doneBytes);
        }

        doneBytes = 0;
        return _port.Send(to, bytes);
    }

    private void Keep(in NodeAddress to, ReadOnlySpan<byte> bytes, int packetBytes)
    {
        _isBlocked = true;
        if (!_core.RefusedTrains.TryRent("a blocked socket", out _refused))
        {
            Dropped += (bytes.Length + packetBytes - 1) / packetBytes;
            return;
        }

        bytes.CopyTo(_refused.Span);
        _refusedTo = to;
        _refusedOffset = 0;
        _refusedEnd = bytes.Length;
        _refusedPacketBytes = packetBytes;
    }

    private bool TrySendRefused()
    {
        ReadOnlySpan<byte> bytes = _refused.Span[_refusedOffset.._refusedEnd];
        if (Send(_refusedTo, bytes, _refusedPacketBytes, out int doneBytes) == SendStatus.WouldBlock)
        {
            _refusedOffset += doneBytes;
            _isBlocked = true;
            return false;
        }

        _refused.Return();
        _refused = default;
        return true;
    }

    private void OnWritable()
    {
        _isBlocked = false;
        _core.Activate(this);
    }
}
