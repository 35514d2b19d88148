using Ripple.Benchmarks.Check;
using Ripple.Engine.Streams;

namespace Ripple.Benchmarks.Streams;

/// <summary>A sequence goes missing, is asked for, and is repaired: every second one of 128.</summary>
[BenchmarkCategory(Categories.Core)]
public class GapBenchmarks
{
    private const int Gaps = 64;
    private readonly ReceiveWindow _window = new(1);
    private readonly GapBlocks _gaps;
    private readonly ulong[] _missing = new ulong[NakFrame.WordsMax];
    private long _nowNs;

    public GapBenchmarks() => _gaps = new GapBlocks(StreamOptions.Default, _window);

    [GlobalSetup]
    public void SetUp()
    {
        if (LoseAskAndFill() == 0 || !_gaps.IsEmpty)
        {
            throw new InvalidOperationException("What was lost was not asked for, or not filled.");
        }
    }

    [Benchmark(OperationsPerInvoke = Gaps)]
    public int LoseAskAndFill()
    {
        _nowNs += 1_000;
        ulong first = _window.Contiguous + 1;
        for (ulong lost = first; lost < first + (2 * Gaps); lost += 2)
        {
            _window.Mark(lost + 1);
            _gaps.Add(lost, lost, _nowNs);
            _gaps.Cover(lost + 1);
        }

        int words = _gaps.TakeDue(_nowNs, _nowNs, _missing, out _, out _);
        for (ulong lost = first; lost < first + (2 * Gaps); lost += 2)
        {
            _gaps.Fill(lost, _nowNs + 100);
            _window.Mark(lost);
        }

        return words;
    }
}
