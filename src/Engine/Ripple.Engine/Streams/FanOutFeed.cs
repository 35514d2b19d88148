using Ripple.Engine.Core;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// Pulls the frames that are ready, seals each packet once, and gives the sink the same train once per destination: the region's group, or
/// single members. Does not wait for a train to fill.
/// </summary>
internal sealed class FanOutFeed(RegionOutput output, IDatagramSink sink, PacketClass packetClass, IFrameFeed feed)
    : OutputFeed(sink, packetClass, feed)
{
    private readonly byte[] _train = new byte[(packetClass == PacketClass.Data ? WireLimits.TrainPacketsMax : 1) * output.DatagramBytes];
    private NodeAddress[] _targets = [];
    private int _trainBytes;
    private int _packetBytes;
    private int _packets;
    private int _next;

    /// <summary>True while the current train has not been given to the sink for all destinations.</summary>
    public bool IsInFlight => _next < _targets.Length;

    public override bool TryPull(ref DatagramSlot slot)
    {
        if (_next == _targets.Length && !TryMake())
        {
            return false;
        }

        slot.Bytes = _train.AsSpan(0, _trainBytes);
        slot.PacketBytes = _packetBytes;
        slot.To = _targets[_next++];
        output.Counters.Datagrams += _packets;
        output.Counters.Bytes += _trainBytes;
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
        NodeAddress[] targets = PacketClass == PacketClass.Data ? output.DataTargets : output.ControlTargets;
        if (output.Sealer is null || (targets.Length == 0 && !output.HasMembers))
        {
            IsWaiting = true;
            return false;
        }

        if (targets.Length == 0)
        {
            // Nobody is reached yet. The packets are kept for those who will ask for them: a sender that waited would hold up publishers.
            while (feed.PullFrames(_train.AsSpan(0, output.FramesBytesMax)) > 0)
            {
            }

            return false;
        }

        _trainBytes = 0;
        _packets = 0;
        int bytes;
        do
        {
            bytes = MakePacket(_train.AsSpan(_trainBytes, output.DatagramBytes));
            _packetBytes = _packets == 0 ? bytes : _packetBytes;
            _trainBytes += bytes;
            _packets += bytes > 0 ? 1 : 0;
        }
        while (bytes == output.DatagramBytes && _trainBytes + output.DatagramBytes <= _train.Length);
        _targets = targets;
        _next = _packets == 0 ? targets.Length : 0;
        return _packets > 0;
    }

    /// <summary>Makes the next packet; 0 when there is nothing to send, or the key is used up.</summary>
    private int MakePacket(Span<byte> packet)
    {
        int framesBytes = feed.PullFrames(packet.Slice(IPacketSealer.FramesOffset, output.FramesBytesMax));
        if (framesBytes == 0)
        {
            return 0;
        }

        int bytes = output.Seal(packet, framesBytes, PacketClass);

        // Not sealed: the pulled frames are lost like a packet on the wire, and repaired like one under the next key.
        IsWaiting |= bytes == 0;
        return bytes;
    }
}
