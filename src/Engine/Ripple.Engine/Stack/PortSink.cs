using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Stack;

/// <summary>
/// A root sink: pulls from its feeds in priority order while its socket takes datagrams. Holds at most one datagram, the one the socket refused
/// for want of room. Belongs to the core thread.
/// </summary>
public sealed class PortSink : Agent, IDatagramSink, IDisposable
{
    private const int DatagramsPerTurn = 256;
    private readonly CoreLoop _core;
    private readonly IDatagramPort _port;
    private readonly FeedQueue _feeds = new();
    private readonly byte[] _scratch = new byte[WireLimits.DatagramBytesMax];
    private readonly byte[] _refused = new byte[WireLimits.DatagramBytesMax];
    private NodeAddress _refusedTo;
    private int _refusedLength;
    private bool _isBlocked;

    /// <summary>Makes the root sink of a port. The port stays its owner's to dispose of, after this.</summary>
    public PortSink(CoreLoop core, IDatagramPort port)
    {
        ArgumentNullException.ThrowIfNull(core);
        ArgumentNullException.ThrowIfNull(port);
        _core = core;
        _port = port;
        _port.OnWritable = OnWritable;
    }

    /// <summary>Adds what so many root sinks hold.</summary>
    public static void AddMemory(MemoryBudget budget, int sinks)
    {
        ArgumentNullException.ThrowIfNull(budget);
        budget.Add(MemoryScope.Process, MemoryKind.Fixed, "sinks: a datagram made, and one refused", 2L * sinks, WireLimits.DatagramBytesMax + MemoryBudget.ArrayBytes);
    }

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
    }

    /// <inheritdoc/>
    protected internal override int DoWork()
    {
        int sent = 0;
        if (_refusedLength > 0)
        {
            if (_port.Send(_refusedTo, _refused.AsSpan(0, _refusedLength)) == SendStatus.WouldBlock)
            {
                _isBlocked = true;
                return 0;
            }

            _refusedLength = 0;
            sent++;
        }

        while (sent < DatagramsPerTurn)
        {
            var slot = new DatagramSlot(_scratch);
            if (!_feeds.TryPull(ref slot))
            {
                break;
            }

            sent++;
            if (_port.Send(slot.To, slot.Bytes) == SendStatus.WouldBlock)
            {
                slot.Bytes.CopyTo(_refused);
                _refusedLength = slot.Bytes.Length;
                _refusedTo = slot.To;
                _isBlocked = true;
                return 0;
            }
        }

        return sent;
    }

    private void OnWritable()
    {
        _isBlocked = false;
        _core.Activate(this);
    }
}
