using Ripple.Benchmarks.Check;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Benchmarks.Control;

/// <summary>The control message that there are most of: a heartbeat with four applications.</summary>
public class HeartbeatBenchmarks
{
    private readonly byte[] _buffer = new byte[1_024];
    private readonly Heartbeat _message = new(
        1, new ViewNumber(1, 1), [.. Enumerable.Range(1, 4).Select(i => new LevelRow((uint)i, 1, 1_000, 1_000, 1_000))]);
    private byte[] _body = [];

    [GlobalSetup]
    public void SetUp() => _body = MessageCodec.Encode(_message);

    [Benchmark]
    [BenchmarkCategory(Categories.Core)]
    public int Write()
    {
        var writer = new WireWriter(_buffer);
        _message.Write(ref writer);
        return writer.Position;
    }

    [Benchmark]
    public int Read() => (int)MessageCodec.TryRead<Heartbeat>(_body, out _);
}
