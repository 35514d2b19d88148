using Ripple.Benchmarks.Check;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Benchmarks.Wire;

/// <summary>A datagram is sealed, and opened. A packet opens once, so that opening is measured with the seal before it.</summary>
[BenchmarkCategory(Categories.Core)]
public class SealingBenchmarks
{
    private const ulong RegionId = 7;
    private const uint Slot = 3;
    private readonly byte[] _datagram = new byte[WireLimits.DatagramBytesMax];
    private RegionKey? _key;
    private PacketSealer? _sealer;
    private PacketOpener? _opener;
    private int _framesBytes;

    /// <summary>The bytes of the whole datagram.</summary>
    [Params(100, 1_024, 1_472)]
    public int DatagramBytes { get; set; }

    [GlobalSetup]
    public void SetUp()
    {
        byte[] key = new byte[RegionKey.KeyBytes];
        _key = new RegionKey(1, key);
        _sealer = new PacketSealer(RegionId, _key, Slot, packetsMax: (1UL << PacketHeader.ClassShift) - 1);
        _opener = new PacketOpener(RegionId, new RegionKey(1, key));
        _opener.AllowSlot(Slot);
        _framesBytes = DatagramBytes - PacketHeader.Size - PacketHeader.TagSize;
        if (SealThenOpen() != (int)OpenStatus.Ok)
        {
            throw new InvalidOperationException("What was sealed does not open.");
        }
    }

    [GlobalCleanup]
    public void CleanUp()
    {
        _opener?.Dispose();
        _key?.Dispose();
    }

    [Benchmark]
    public int Seal() => _sealer!.Seal(_datagram, _framesBytes, PacketClass.Data);

    [Benchmark]
    public int SealThenOpen()
    {
        int length = _sealer!.Seal(_datagram, _framesBytes, PacketClass.Data);
        return (int)_opener!.TryOpen(_datagram.AsSpan(0, length), nowNs: 0, out _, out _);
    }
}
