using Ripple.Benchmarks.Check;
using Ripple.Engine.Streams;

namespace Ripple.Benchmarks.Streams;

/// <summary>A range goes missing, is asked for, and is repaired, as one of 64.</summary>
[BenchmarkCategory(Categories.Core)]
public class GapListBenchmarks
{
    private const int Gaps = 64;
    private readonly GapList _gaps = new(StreamOptions.Default);
    private readonly SequenceRange[] _ranges = new SequenceRange[Gaps];
    private ulong _highest;
    private long _nowNs;

    [GlobalSetup]
    public void SetUp()
    {
        if (LoseAskAndFill() != Gaps || _gaps.Count != 0)
        {
            throw new InvalidOperationException("What was lost was not asked for, or not filled.");
        }
    }

    [Benchmark(OperationsPerInvoke = Gaps)]
    public int LoseAskAndFill()
    {
        _nowNs += 1_000;
        ulong first = _highest + 2;
        for (int i = 0; i < Gaps; i++)
        {
            _highest += 2;
            _gaps.Add(_highest, _highest, _nowNs);
            _gaps.Covered = _highest;
        }

        int asked = _gaps.TakeDue(_nowNs, _ranges, out _);
        for (ulong sequence = first; sequence <= _highest; sequence += 2)
        {
            _gaps.Fill(sequence, _nowNs + 100);
        }

        return asked;
    }
}
