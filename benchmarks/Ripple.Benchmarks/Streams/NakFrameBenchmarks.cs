using Ripple.Benchmarks.Check;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Benchmarks.Streams;

/// <summary>A request for repair of every tenth of 1,000 sequences.</summary>
[BenchmarkCategory(Categories.Core)]
public class NakFrameBenchmarks
{
    private readonly byte[] _frame = new byte[NakFrame.FrameBytesMax];
    private readonly ulong[] _missing = new ulong[16];
    private readonly ulong[] _read = new ulong[NakFrame.WordsMax];
    private int _length;

    [GlobalSetup]
    public void SetUp()
    {
        for (int i = 0; i < 1_000; i += 10)
        {
            _missing[i / 64] |= 1UL << (i % 64);
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
        var writer = new WireWriter(_frame);
        NakFrame.Write(ref writer, origin: 1, start: 64, _missing);
        return writer.Position;
    }

    [Benchmark]
    public int Read() =>
        (int)NakFrame.Read(_frame.AsSpan(FrameReader.HeaderBytes, _length - FrameReader.HeaderBytes), out _, out _, _read, out _);
}
