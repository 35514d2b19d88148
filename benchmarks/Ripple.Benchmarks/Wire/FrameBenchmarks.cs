using Ripple.Benchmarks.Check;
using Ripple.Engine.Wire;

namespace Ripple.Benchmarks.Wire;

/// <summary>The frames of one packet: ten of 100 bytes.</summary>
[BenchmarkCategory(Categories.Core)]
public class FrameBenchmarks
{
    private const int Frames = 10;
    private readonly byte[] _payload = new byte[100];
    private readonly byte[] _packet = new byte[WireLimits.FramesBytesMax];
    private int _length;

    [GlobalSetup]
    public void SetUp() => _length = Write();

    [Benchmark(OperationsPerInvoke = Frames)]
    public int Write()
    {
        var writer = new WireWriter(_packet);
        for (int i = 0; i < Frames; i++)
        {
            int start = FrameWriter.Begin(ref writer, FrameType.Message);
            writer.WriteBytes(_payload);
            FrameWriter.End(ref writer, start);
        }

        return writer.Position;
    }

    [Benchmark(OperationsPerInvoke = Frames)]
    public int Read()
    {
        var reader = new FrameReader(_packet.AsSpan(0, _length));
        int bytes = 0;
        while (reader.TryNext())
        {
            bytes += reader.Payload.Length;
        }

        return bytes;
    }
}
