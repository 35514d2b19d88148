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

    /// <summary>The frames of a packet, and who sealed it; false when it is not one of the region's.</summary>
    public bool TryOpen(Span<byte> datagram, long nowNs, out uint slot, out ReadOnlySpan<byte> frames)
    {
        PacketHeader header;
        if (_opener is not null)
        {
            OpenStatus status = _opener.TryOpen(datagram, nowNs, out header, out frames);
            slot = header.Slot;
            return status == OpenStatus.Ok;
        }

        bool isOk = PacketHeader.TryRead(datagram, out header) == PacketHeaderStatus.Ok && header.RegionId == RegionId;
        slot = header.Slot;
        frames = isOk ? datagram[PacketHeader.Size..^PacketHeader.TagSize] : default;
        return isOk;
    }

    public void Dispose() => _opener?.Dispose();
}
