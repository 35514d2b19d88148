using System.Buffers.Binary;

namespace Ripple.Engine.Wire;

/// <summary>
/// Shares the opening of host packets between the nodes of a core: a packet to all members is sealed once, so every node receives the same
/// bytes. The first node opens it; the others take the result for the same header and tag under an equal key, without looking at the bytes
/// between: with that tag, those are the bytes that were sealed, or not what its sealer sent. Before that, each node decides for itself
/// whether it accepts the packet at all (region, key epoch, slot, replay). Core thread.
/// </summary>
/// <remarks>
/// Bounded: <see cref="CountMax"/> packets, 1.6 MB in all, allocated as packets arrive; unused while fewer than two nodes share it.
/// </remarks>
internal sealed class SharedPackets
{
    /// <summary>The most packets kept: those of a value of a megabyte. A power of two.</summary>
    public const int CountMax = 1_024;

    private readonly Entry?[] _entries = new Entry?[CountMax];
    private int _holders;

    /// <summary>Packets that had already been opened for another node.</summary>
    public long Hits { get; private set; }

    /// <summary>Packets that were opened here.</summary>
    public long Misses { get; private set; }

    /// <summary>Called when one more node uses this.</summary>
    public void Join() => _holders++;

    /// <summary>Called when one node fewer uses this.</summary>
    public void Leave()
    {
        if (--_holders < 2)
        {
            Array.Clear(_entries);
        }
    }

    /// <summary>Does the same as <see cref="RegionKey.TryOpen"/>.</summary>
    /// <param name="key">The key.</param>
    /// <param name="header">The header of the packet.</param>
    /// <param name="packet">The packet; overwritten where it is opened here.</param>
    /// <param name="frames">The frames, here or in the packet; valid until the next packet is opened.</param>
    internal bool TryOpen(RegionKey key, scoped in PacketHeader header, Span<byte> packet, out ReadOnlySpan<byte> frames)
    {
        Span<byte> opened = packet[PacketHeader.Size..^PacketHeader.TagSize];
        frames = opened;
        if (_holders < 2 || packet.Length > WireLimits.DatagramBytesMax)
        {
            return key.TryOpen(header, packet);
        }

        ref Entry? entry = ref _entries[(int)((header.Number << 2) | (uint)header.Class) & (CountMax - 1)];
        entry ??= new Entry();
        UInt128 tag = BinaryPrimitives.ReadUInt128LittleEndian(packet[^PacketHeader.TagSize..]);
        if (entry.Header == header && entry.Tag == tag && entry.KeyId == key.Id)
        {
            Hits++;
            frames = entry.Frames.AsSpan(0, opened.Length);
            return true;
        }

        Misses++;
        // The entry is invalid until the packet has been opened.
        entry.Header = default;
        if (!key.TryOpen(header, packet))
        {
            return false;
        }

        opened.CopyTo(entry.Frames);
        (entry.Header, entry.Tag, entry.KeyId) = (header, tag, key.Id);
        return true;
    }

    private sealed class Entry
    {
        public byte[] Frames { get; } = new byte[WireLimits.FramesBytesMax];

        /// <summary>Includes the length; no packet has that of nothing.</summary>
        public PacketHeader Header { get; set; }

        public UInt128 Tag { get; set; }

        public UInt128 KeyId { get; set; }
    }
}
