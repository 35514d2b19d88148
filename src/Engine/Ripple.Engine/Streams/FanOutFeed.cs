using Ripple.Engine.Core;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// Pulls the frames that are ready, seals each packet once, and gives the sink the same train once per destination: the region's group, or
/// single members. What comes after a pause leaves at once. Trains of a stream to many members that are not full begin some time apart, so
/// that what comes meanwhile leaves together, unless more waits already: docs/design/trains.md.
/// </summary>
internal sealed class FanOutFeed : OutputFeed
{
    /// <summary>The fewest destinations for which that is done, and was measured.</summary>
    public const int GatherTargetsMin = 8;

    /// <summary>
    /// From the start of a train that was not full to the start of the next, for each destination: several times what sending to it costs.
    /// </summary>
    public const long GatherNsPerTarget = 20_000;

    /// <summary>The most of that for all destinations together, in nanoseconds, behind a train of a few packets.</summary>
    public const long GatherNsMax = 1_000_000;

    /// <summary>Behind a train of more packets than this, that is longer in proportion: who sends much waits for much.</summary>
    public const int GatherPackets = 2;

    /// <summary>How many times as long at most.</summary>
    public const int GatherGrowthMax = 4;

    private readonly CoreLoop _core;
    private readonly RegionOutput _output;
    private readonly IFrameFeed _feed;
    private readonly Alarm _gatheredAlarm;
    private readonly byte[] _train;
    private NodeAddress[] _targets = [];
    private long _opensAtNs = long.MinValue;
    private int _trainBytes;
    private int _packetBytes;
    private int _packets;
    private int _next;

    public FanOutFeed(CoreLoop core, RegionOutput output, IDatagramSink sink, PacketClass packetClass, IFrameFeed feed)
        : base(sink, packetClass, feed)
    {
        _core = core;
        _output = output;
        _feed = feed;
        _gatheredAlarm = new Alarm(Register);
        _train = new byte[(packetClass == PacketClass.Data ? WireLimits.TrainPacketsMax : 1) * output.DatagramBytes];
    }

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
        _output.Counters.Datagrams += _packets;
        _output.Counters.Bytes += _trainBytes;
        return true;
    }

    public override void Close()
    {
        base.Close();
        _core.Alarms.Cancel(_gatheredAlarm);
        _targets = [];
        _next = 0;
    }

    private bool TryMake()
    {
        NodeAddress[] targets = PacketClass == PacketClass.Data ? _output.DataTargets : _output.ControlTargets;
        if (_output.Sealer is null || (targets.Length == 0 && !_output.HasMembers))
        {
            IsWaiting = true;
            return false;
        }

        if (targets.Length == 0)
        {
            // Nobody is reached yet. The packets are kept for those who will ask for them: a sender that waited would hold up publishers.
            while (_feed.PullFrames(_train.AsSpan(0, _output.FramesBytesMax)) > 0)
            {
            }

            return false;
        }

        if (_core.NowNs < _opensAtNs)
        {
            // Also when there is nothing more: only a pull tells, and what is pulled leaves.
            _core.Alarms.ScheduleNoLater(_gatheredAlarm, _opensAtNs);
            return false;
        }

        _trainBytes = 0;
        _packets = 0;
        int bytes;
        do
        {
            bytes = MakePacket(_train.AsSpan(_trainBytes, _output.DatagramBytes));
            _packetBytes = _packets == 0 ? bytes : _packetBytes;
            _trainBytes += bytes;
            _packets += bytes > 0 ? 1 : 0;
        }
        while (bytes == _output.DatagramBytes && _trainBytes + _output.DatagramBytes <= _train.Length);
        bool isFull = _trainBytes + _output.DatagramBytes > _train.Length;
        if (_packets > 0 && !isFull && targets.Length >= GatherTargetsMin && _feed.MayGather)
        {
            long gatherNs = Math.Min(GatherNsMax, targets.Length * GatherNsPerTarget);
            _opensAtNs = _core.NowNs + Math.Clamp(gatherNs * _packets / GatherPackets, gatherNs, gatherNs * GatherGrowthMax);
        }

        _targets = targets;
        _next = _packets == 0 ? targets.Length : 0;
        return _packets > 0;
    }

    /// <summary>Makes the next packet; 0 when there is nothing to send, or the key is used up.</summary>
    private int MakePacket(Span<byte> packet)
    {
        int framesBytes = _feed.PullFrames(packet.Slice(IPacketSealer.FramesOffset, _output.FramesBytesMax));
        if (framesBytes == 0)
        {
            return 0;
        }

        int bytes = _output.Seal(packet, framesBytes, PacketClass);

        // Not sealed: the pulled frames are lost like a packet on the wire, and repaired like one under the next key.
        IsWaiting |= bytes == 0;
        return bytes;
    }
}
