using Ripple.Benchmarks.Check;
using Ripple.Engine.Core;

namespace Ripple.Benchmarks.Core;

/// <summary>Requests go through the door into the core: posted and executed on one thread, so without contention.</summary>
[BenchmarkCategory(Categories.Core)]
public class RequestRingBenchmarks
{
    private const int Batch = 256;
    private readonly CoreLoop _core = new(new CoreOptions(), seed: 1);
    private readonly CountingRequest _request = new();

    [Benchmark]
    public long One()
    {
        _core.Requests.TryPost(_request);
        _core.DoWork(0);
        return _request.Runs;
    }

    [Benchmark(OperationsPerInvoke = Batch)]
    public long Batched()
    {
        for (int i = 0; i < Batch; i++)
        {
            _core.Requests.TryPost(_request);
        }

        _core.DoWork(0);
        return _request.Runs;
    }
}
