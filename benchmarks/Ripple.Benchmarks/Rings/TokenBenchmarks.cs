using Ripple.Benchmarks.Check;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Benchmarks.Rings;

/// <summary>The token of a ring half way round: one stream, four applications, 200 members of which every tenth lags.</summary>
[BenchmarkCategory(Categories.Core)]
public class TokenBenchmarks
{
    private const int Members = 200;
    private const int Topics = 4;
    private readonly byte[] _bytes = new byte[RingLimits.TokenBytesMax];
    private readonly RingToken _token = new();
    private readonly RingToken _into = new();
    private int _length;

    [GlobalSetup]
    public void SetUp()
    {
        _token.Clear(view: 1, round: 2);
        _token.Visited = Members;
        _token.Hop = Members;
        _token.TryAddStream(new RingTokenStream { Origin = 1, MinContiguous = 90, MinPosition = 10, Highest = 100, Floor = 80 });
        for (uint topic = 1; topic <= Topics; topic++)
        {
            RingTokenTopic entry = _token.TryAddTopic(topic, generation: 1, baseRelease: 1_000, from: 0)!;
            for (int i = 0; i < Members; i++)
            {
                byte lag = i % 10 == 0 ? (byte)1 : (byte)0;
                _token.Append(entry, lag, lag, lag);
            }
        }

        _length = Write();
        if (Read() != (int)DecodeStatus.Ok)
        {
            throw new InvalidOperationException("What was written cannot be read.");
        }
    }

    [Benchmark]
    public int Write()
    {
        var writer = new WireWriter(_bytes);
        return RingTokenCodec.TryWrite(_token, ref writer)
            ? writer.Position
            : throw new InvalidOperationException("The token does not fit.");
    }

    [Benchmark]
    public int Read() => (int)RingTokenCodec.TryRead(_bytes.AsSpan(0, _length), _into);
}
