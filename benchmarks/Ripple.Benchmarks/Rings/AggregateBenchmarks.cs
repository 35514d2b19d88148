using Ripple.Benchmarks.Check;
using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Benchmarks.Rings;

/// <summary>
/// What the sender does with the aggregate of a part of 24 members, one stream and one application, but for the sockets: the datagram is
/// opened, the proof verified, the round told, the acknowledgement sealed. A packet opens once, so that its leader's seal comes before it.
/// </summary>
[BenchmarkCategory(Categories.Core)]
public class AggregateBenchmarks : IAggregateHandler
{
    private const ulong RegionId = 7;
    private const int Members = 24;
    private readonly byte[] _frames = new byte[WireLimits.FramesBytesMax];
    private readonly byte[] _datagram = new byte[WireLimits.DatagramBytesMax];
    private readonly byte[] _ack = new byte[WireLimits.DatagramBytesMax];
    private readonly AggregateReader _reader = new();
    private RegionView? _view;
    private MemberKey? _own;
    private PacketSealer? _leader;
    private PacketSealer? _sender;
    private PacketOpener? _opener;
    private int _framesBytes;
    private ulong _transmissions;
    private ulong _applied;

    [GlobalSetup]
    public void SetUp()
    {
        RegionMember[] members =
            [.. Enumerable.Range(1, Members).Select(i => new RegionMember((uint)i, new NodeId(0, (ulong)i), 1, default, default))];
        _view = new RegionView(RegionId, new ViewNumber(1, 1), members, partMembers: Members);
        _own = new MemberKey(RegionId, 1, new byte[MemberKey.KeyBytes]);
        ulong packetsMax = (1UL << PacketHeader.ClassShift) - 1;
        byte[] key = new byte[RegionKey.KeyBytes];
        _leader = new PacketSealer(RegionId, new RegionKey(1, key), 1, packetsMax);
        _sender = new PacketSealer(RegionId, new RegionKey(1, key), 0, packetsMax);
        _opener = new PacketOpener(RegionId, new RegionKey(1, key));
        _opener.AllowSlot(1);
        RingToken token = new();
        token.Clear(_view.Number.Value, RoundNumber.Next(0, 0, _view));
        token.Visited = Members;
        token.Hop = Members;
        token.TryAddStream(new RingTokenStream { Origin = 1, MinContiguous = 90, MinPosition = 10, Highest = 100, Floor = 80 });
        RingTokenTopic entry = token.TryAddTopic(1, generation: 1, baseRelease: 1_000, from: 0)!;
        for (int i = 0; i < Members; i++)
        {
            token.Append(entry, 0, 0, 0);
        }

        _framesBytes = RingContext.WriteFrame(token, FrameType.Aggregate, _frames);
        Take();
        if (_applied != 1_000 * Members)
        {
            throw new InvalidOperationException("The aggregate was not told.");
        }
    }

    [GlobalCleanup]
    public void CleanUp() => _opener?.Dispose();

    /// <summary>The seal of the leader is in it, about 0.6 us.</summary>
    [Benchmark]
    public int Take()
    {
        AggregateProof.Write(_frames.AsSpan(FrameReader.HeaderBytes, _framesBytes - FrameReader.HeaderBytes), _own!, ++_transmissions);
        _frames.AsSpan(0, _framesBytes).CopyTo(_datagram.AsSpan(PacketHeader.Size));
        int length = _leader!.Seal(_datagram, _framesBytes, PacketClass.Control);
        if (_opener!.TryOpen(_datagram.AsSpan(0, length), nowNs: 0, out _, out ReadOnlySpan<byte> frames) != OpenStatus.Ok)
        {
            return 0;
        }

        var reader = new FrameReader(frames);
        _applied = 0;
        if (!reader.TryNext()
            || !AggregateProof.TryVerify(reader.Payload, _own!, out _)
            || _reader.TryRead(reader.Payload, _view!, _view!.PartAt(0), this) != DecodeStatus.Ok)
        {
            return 0;
        }

        int ackBytes = _reader.WriteAck(_ack.AsSpan(PacketHeader.Size), origin: 1, floor: 90);
        return _sender!.Seal(_ack, ackBytes, PacketClass.Control);
    }

    void IAggregateHandler.OnRound(bool isQuiet)
    {
    }

    void IAggregateHandler.OnSilent(int position)
    {
    }

    void IAggregateHandler.OnStream(ulong origin, ulong minContiguous, int minPosition)
    {
    }

    void IAggregateHandler.OnLevels(int position, uint topic, uint generation, ulong received, ulong persisted, ulong applied) =>
        _applied += applied;

    void IAggregateHandler.OnRejection(int position, uint topic, uint generation, ulong release, string reason)
    {
    }
}
