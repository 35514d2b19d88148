using Ripple.Benchmarks.Check;
using Ripple.Engine.Core;

namespace Ripple.Benchmarks.Core;

/// <summary>Items go through the door out of the core: posted and taken on one thread.</summary>
[BenchmarkCategory(Categories.Core)]
public class OutletBenchmarks
{
    private const int Batch = 256;
    private readonly object _item = new();
    private readonly Outlet<object> _outlet = new(1_024);

    [Benchmark]
    public bool One()
    {
        _outlet.TryPost(_item);
        return _outlet.TryTake(out _);
    }

    [Benchmark(OperationsPerInvoke = Batch)]
    public int Batched()
    {
        for (int i = 0; i < Batch; i++)
        {
            _outlet.TryPost(_item);
        }

        int taken = 0;
        while (_outlet.TryTake(out _))
        {
            taken++;
        }

        return taken;
    }
}
