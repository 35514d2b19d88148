namespace Ripple.Engine.Wire;

/// <summary>
/// Shares the opening of host packets between the nodes of a core: a packet to all members is sealed once, so every node receives the same
/// bytes. The first node opens it; the others take the result for equal bytes under an equal key. Before that, each node decides for itself
/// whether it accepts the packet at all (region, key epoch, slot, replay). Core thread.
/// </summary>
/// <remarks>
/// Bounded: <see cref="CountMax"/> packets, 1.5 MB in all, allocated as packets arrive; unused while fewer than two nodes share it.
/// </remarks>
internal sealed class SharedPackets
{
    /// <summary>The most packets kept; a power of two.</summary>
    public const int CountMax = 512;

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
    internal bool TryOpen(RegionKey key, in PacketHeader header, Span<byte> packet)
    {
        if (_holders < 2 || packet.Length > WireLimits.DatagramBytesMax)
        {
            return key.TryOpen(header, packet);
        }

        ref Entry? entry = ref _entries[(int)((header.Number << 2) | (uint)header.Class) & (CountMax - 1)];
        entry ??= new Entry();
        Span<byte> frames = packet[PacketHeader.Size..^PacketHeader.TagSize];
        if (entry.Length == packet.Length && entry.KeyId == key.Id && packet.SequenceEqual(entry.Sealed.AsSpan(0, packet.Length)))
        {
            Hits++;
            entry.Opened.AsSpan(0, frames.Length).CopyTo(frames);
            return true;
        }

        Misses++;
        packet.CopyTo(entry.Sealed);
        // The entry is invalid until the packet has been opened.
        entry.Length = 0;
        if (!key.TryOpen(header, packet))
        {
            return false;
        }

        frames.CopyTo(entry.Opened);
        entry.KeyId = key.Id;
        entry.Length = packet.Length;
        return true;
    }

    private sealed class Entry
    {
        public byte[] Sealed { get; } = new byte[WireLimits.DatagramBytesMax];

        public byte[] Opened { get; } = new byte[WireLimits.FramesBytesMax];

        public int Length { get; set; }

        public UInt128 KeyId { get; set; }
    }
}
