using Ripple.Benchmarks.Check;
using Ripple.Engine.Wire;

namespace Ripple.Benchmarks.Wire;

/// <summary>One number is asked for and marked.</summary>
[BenchmarkCategory(Categories.Core)]
public class ReplayWindowBenchmarks
{
    private readonly ReplayWindow _window = new();
    private ulong _next;

    [GlobalSetup]
    public void SetUp()
    {
        if (!InOrder() || Duplicate())
        {
            throw new InvalidOperationException("A number is fresh once.");
        }
    }

    [Benchmark]
    public bool InOrder()
    {
        ulong number = ++_next;
        bool isFresh = _window.IsFresh(number);
        _window.Mark(number);
        return isFresh;
    }

    /// <summary>Pairs that have changed places.</summary>
    [Benchmark(OperationsPerInvoke = 2)]
    public bool Reordered()
    {
        ulong number = _next += 2;
        bool areFresh = _window.IsFresh(number);
        _window.Mark(number);
        areFresh &= _window.IsFresh(number - 1);
        _window.Mark(number - 1);
        return areFresh;
    }

    [Benchmark]
    public bool Duplicate() => _window.IsFresh(_next);
}
