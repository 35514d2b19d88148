using System.Security.Cryptography;
using Ripple.Benchmarks.Check;
using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Benchmarks.Stack;

/// <summary>
/// From a source of messages to the port: the sink pulls, the stream cuts and numbers packets, the way out seals each once and hands it to
/// the port for every member. One operation is one message of 1,000 bytes to all members.
/// </summary>
[BenchmarkCategory(Categories.Core)]
public class PullBenchmarks : IStreamSource
{
    private const ulong RegionId = 7;
    private const int Messages = 64;
    private readonly byte[] _message = RandomNumberGenerator.GetBytes(1_000);
    private readonly CoreLoop _core = new(new CoreOptions(), seed: 1);
    private readonly CountingPort _data = new();
    private readonly CountingPort _control = new();
    private RegionKey? _key;
    private StreamSender? _sender;
    private RegionView? _view;
    private int _left;

    /// <summary>The members of the region.</summary>
    [Params(1, 32)]
    public int Members { get; set; }

    [GlobalSetup]
    public void SetUp()
    {
        _key = new RegionKey(1, new byte[RegionKey.KeyBytes]);
        var output = new RegionOutput(_core, new PortSink(_core, _data), new PortSink(_core, _control));
        output.SetSealer(new PacketSealer(RegionId, _key, slot: 0, packetsMax: (1UL << PacketHeader.ClassShift) - 1));
        _sender = new StreamSender(_core, origin: 1, this, output, StreamOptions.Default with
        {
            PaceStartBytesPerSecond = StreamOptions.PaceBytesPerSecondMax,
            PaceBurstBytes = int.MaxValue,
        });
        _view = new RegionView(RegionId, new ViewNumber(1, 1), Enumerable.Range(1, Members).Select(MakeMember));
        _sender.OnView(_view);
        output.SetDestinations(_view);
        Send();
        if (_data.Datagrams < Members)
        {
            throw new InvalidOperationException($"{_data.Datagrams} datagrams to {Members} members.");
        }
    }

    [GlobalCleanup]
    public void CleanUp()
    {
        _sender?.Dispose();
        _key?.Dispose();
    }

    [Benchmark(OperationsPerInvoke = Messages)]
    public long Send()
    {
        _left = Messages;
        _sender!.OnReady();
        long nowNs = _core.NowNs;
        while (_left > 0)
        {
            _core.DoWork(nowNs += 1_000_000);
        }

        _core.DoWork(nowNs += 1_000_000);
        _sender.OnAggregate(_view!.Number, _sender.Highest);
        return _data.Datagrams;
    }

    /// <inheritdoc/>
    public bool TryNext(out uint topic, out ReadOnlyMemory<byte> message)
    {
        topic = 1;
        message = _message;
        return _left-- > 0;
    }

    private static RegionMember MakeMember(int index)
    {
        uint slot = (uint)index;
        return new RegionMember(
            slot, new NodeId(0, slot), slot, NodeAddress.FromIPv4(0x0A000000 + slot, 7_000), NodeAddress.FromIPv4(
                0x0A000000 + slot, 7_001));
    }
}
