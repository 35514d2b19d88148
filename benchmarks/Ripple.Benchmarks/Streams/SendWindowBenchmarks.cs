using Ripple.Benchmarks.Check;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Benchmarks.Streams;

/// <summary>Packets are kept, read for repair, and freed.</summary>
[BenchmarkCategory(Categories.Core)]
public class SendWindowBenchmarks
{
    private const int Packets = 256;
    private readonly byte[] _frames = new byte[WireLimits.FramesBytesMax];
    private readonly SendWindow _window = new(StreamOptions.Default.WindowPackets);

    [Benchmark(OperationsPerInvoke = Packets)]
    public void AddAndRelease()
    {
        for (int i = 0; i < Packets; i++)
        {
            _window.Add(_frames, i);
        }

        _window.ReleaseTo(_window.Highest);
    }

    [Benchmark(OperationsPerInvoke = Packets)]
    public int Read()
    {
        AddAndRelease();
        int bytes = 0;
        ulong highest = _window.Highest;
        for (ulong sequence = highest - Packets + 1; sequence <= highest; sequence++)
        {
            bytes += _window[sequence].Length;
        }

        return bytes;
    }
}
