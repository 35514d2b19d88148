using Ripple.Engine.Core;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>Pulls frames once, seals them once, and gives the sink one datagram a destination.</summary>
internal sealed class FanOutFeed(RegionOutput output, IDatagramSink sink, PacketClass packetClass, IFrameFeed feed)
    : OutputFeed(sink, packetClass, feed)
{
    private readonly byte[] _datagram = new byte[WireLimits.DatagramBytesMax];
    private NodeAddress[] _targets = [];
    private int _datagramBytes;
    private int _next;

    public override bool TryPull(ref DatagramSlot slot)
    {
        if (_next == _targets.Length && !TryMake())
        {
            return false;
        }

        slot.Bytes = _datagram.AsSpan(0, _datagramBytes);
        slot.To = _targets[_next++];
        output.Counters.Datagrams++;
        output.Counters.Bytes += _datagramBytes;
        return true;
    }

    public override void Close()
    {
        base.Close();
        _targets = [];
        _next = 0;
    }

    private bool TryMake()
    {
        NodeAddress[] targets = PacketClass == PacketClass.Data ? output.DataAddresses : output.ControlAddresses;
        if (output.Sealer is null || targets.Length == 0)
        {
            IsWaiting = true;
            return false;
        }

        int framesBytes = feed.PullFrames(_datagram.AsSpan(IPacketSealer.FramesOffset, WireLimits.FramesBytesMax));
        if (framesBytes == 0)
        {
            return false;
        }

        _datagramBytes = output.Seal(_datagram, framesBytes, PacketClass);
        if (_datagramBytes == 0)
        {
            // What was pulled is lost like a packet on the wire, and repaired like one under the next key.
            IsWaiting = true;
            return false;
        }

        _targets = targets;
        _next = 0;
        return true;
    }
}
