using System.Diagnostics;
using Ripple.Engine.Caching;
using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Load.Fanout.Messages;

namespace Ripple.Load.Fanout.EngineSide;

/// <summary>
/// One member of the region, put together as a node is: opens packets, receives the stream, takes part in the ring; and above it the order
/// of each topic and the check of each message. Core thread; the tally is read from others.
/// </summary>
internal sealed class EngineReceiver : IDatagramHandler, IStreamReceiverHandler, IRingContribution, IDisposable
{
    private readonly CoreLoop _core;
    private readonly RegionSeal _seal;
    private readonly StreamReceiver _receiver;
    private readonly RingMember _ring;
    private readonly PeerRepairer _repairer;
    private readonly RegionFrames _frames;
    private readonly TopicOrder _order;
    private readonly ReceiverTally _tally;
    private readonly LatencyHistogram? _latencies;
    private readonly LatencyHistogram _repairs;
    private bool _isRepair;

    public EngineReceiver(
        CoreLoop core,
        uint slot,
        RegionView view,
        NodeAddress sender,
        RegionSeal seal,
        IDatagramSink dataSink,
        IDatagramSink controlSink,
        TopicOrder order,
        ReceiverTally tally,
        int owners,
        LatencyHistogram? latencies,
        LatencyHistogram repairs)
    {
        _core = core;
        _seal = seal;
        _order = order;
        _tally = tally;
        _latencies = latencies;
        _repairs = repairs;
        Output = new RegionOutput(core, dataSink, controlSink);
        Output.SetSealer(seal.Sealer);
        var cacheOwners = new CacheOwners(slot);
        cacheOwners.SetCount(owners);
        cacheOwners.OnView(view);
        _repairer = new PeerRepairer(core, FanoutRegion.Origin, cacheOwners, Output, CachingOptions.Default);
        _receiver = new StreamReceiver(core, FanoutRegion.Origin, 1, sender, Output, this, FanoutRegion.Stream, cacheOwners);
        var key = new MemberKey(view.RegionId, slot, new byte[MemberKey.KeyBytes]);
        _ring = new RingMember(core, Output, this, key, FanoutRegion.Ring);
        _ring.OnView(view, slot, sender);
        _frames = new RegionFrames(_receiver, _ring, (_, _) => { }, _repairer);
    }

    private RegionOutput Output { get; }

    public StreamReceiverCounters Counters => _receiver.Counters;

    public CachingCounters CachingCounters => _repairer.Counters;

    public RingCounters RingCounters => _ring.Counters;

    int IRingContribution.StreamCount => 1;

    int IRingContribution.TopicCount => 0;

    int IRingContribution.RejectionCount => 0;

    public void OnDatagram(Span<byte> datagram)
    {
        if (!_seal.TryOpen(datagram, _core.NowNs, out PacketHeader header, out ReadOnlySpan<byte> frames))
        {
            _tally.Refused++;
            return;
        }

        _isRepair = header.Class == PacketClass.Repair;
        _tally.Refused += _frames.TryTake(header.Slot, header.Class, frames) ? 0 : 1;
    }

    void IStreamReceiverHandler.OnMessage(uint topic, ReadOnlySpan<byte> message)
    {
        // Checked where it arrives, and once: what is kept for its turn was whole.
        if (!Piece.IsIntact(message))
        {
            _tally.Bad++;
            return;
        }

        if (_isRepair)
        {
            _repairs.Add(Stopwatch.GetTimestamp() - Piece.SentAtOf(message));
        }

        if (!_order.IsTurn(topic, Piece.NumberOf(message), message))
        {
            return;
        }

        Deliver(topic, message);
        while (_order.TryTake(topic, out ReadOnlySpan<byte> next))
        {
            Deliver(topic, next);
        }
    }

    void IStreamReceiverHandler.OnSkipped(ulong fromSequence, ulong toSequence) => _tally.Skipped++;

    void IStreamReceiverHandler.OnProgress(ulong packets) => _ring.OnStreamProgress(packets);

    StreamProgress IRingContribution.StreamAt(int index) => new(FanoutRegion.Origin, _receiver.Contiguous, _receiver.Highest);

    LevelRow IRingContribution.TopicAt(int index) => throw new UnreachableException();

    bool IRingContribution.TryTakeChanged(out LevelRow row)
    {
        row = default;
        return false;
    }

    RejectionRow IRingContribution.RejectionAt(int index) => throw new UnreachableException();

    void IRingContribution.OnFloor(ulong origin, ulong floor) => _repairer.OnFloor(Math.Min(floor, _receiver.Contiguous));

    public void Dispose()
    {
        _ring.Dispose();
        _receiver.Dispose();
        _repairer.Dispose();
        Output.Dispose();
        _seal.Dispose();
    }

    /// <summary>The consumer: sees the messages of each topic one by one, and trusts nobody about their order.</summary>
    private void Deliver(uint topic, ReadOnlySpan<byte> piece)
    {
        _tally.Take(topic, piece);
        _latencies?.Add(Stopwatch.GetTimestamp() - Piece.SentAtOf(piece));
    }
}
