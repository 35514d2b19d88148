using Ripple.Benchmarks.Check;
using Ripple.Engine.Streams;

namespace Ripple.Benchmarks.Streams;

/// <summary>Sequences arrive.</summary>
[BenchmarkCategory(Categories.Core)]
public class ReceiveWindowBenchmarks
{
    private const int Packets = 256;
    private readonly ReceiveWindow _window = new(1);

    [Benchmark(OperationsPerInvoke = Packets)]
    public ulong InOrder()
    {
        for (int i = 0; i < Packets; i++)
        {
            _window.Mark(_window.Contiguous + 1);
        }

        return _window.Contiguous;
    }

    /// <summary>The first one last: all others are noted above it, and then passed.</summary>
    [Benchmark(OperationsPerInvoke = Packets)]
    public ulong FirstLate()
    {
        ulong first = _window.Contiguous + 1;
        for (ulong sequence = first + 1; sequence < first + Packets; sequence++)
        {
            if (!_window.IsReceived(sequence))
            {
                _window.Mark(sequence);
            }
        }

        _window.Mark(first);
        return _window.Contiguous;
    }
}
