using Ripple.Engine.Wire;

namespace Ripple.Load.Fanout.EngineSide;

/// <summary>How one node of the benchmark's region seals and opens: as always, or not at all. Core thread.</summary>
internal sealed class RegionSeal : IDisposable
{
    public const ulong RegionId = 0x0F0F;
    private readonly PacketOpener? _opener;

    /// <param name="slot">The own slot; 0 is the sender's.</param>
    /// <param name="members">The members' slots are 1 to this.</param>
    /// <param name="key">Null: nothing is sealed.</param>
    public RegionSeal(uint slot, int members, byte[]? key)
    {
        if (key is null)
        {
            Sealer = new NullSealer(RegionId, slot);
            return;
        }

        var regionKey = new RegionKey(1, key);
        Sealer = new PacketSealer(RegionId, regionKey, slot);
        _opener = new PacketOpener(RegionId, regionKey);
        for (uint other = 0; other <= members; other++)
        {
            _opener.AllowSlot(other);
        }
    }

    public IPacketSealer Sealer { get; }

    /// <summary>The frames of a packet, and its header; false when it is not one of the region's.</summary>
    public bool TryOpen(Span<byte> datagram, long nowNs, out PacketHeader header, out ReadOnlySpan<byte> frames)
    {
        if (_opener is not null)
        {
            return _opener.TryOpen(datagram, nowNs, out header, out frames) == OpenStatus.Ok;
        }

        bool isOk = PacketHeader.TryRead(datagram, out header) == PacketHeaderStatus.Ok && header.RegionId == RegionId;
        frames = isOk ? datagram[PacketHeader.Size..^PacketHeader.TagSize] : default;
        return isOk;
    }

    public void Dispose() => _opener?.Dispose();
}
