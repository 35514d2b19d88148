namespace Ripple.Engine.Wire;

/// <summary>
/// What a host sends to all members reaches every node of a core as the same bytes, for it is sealed once. The first node that gets a
/// packet opens it; for the others equal bytes under an equal key have been opened. Whether a node takes the packet at all (region, key
/// epoch, slot, replay) each node decides by itself before. Core thread.
/// </summary>
/// <remarks>
/// Bounded: <see cref="CountMax"/> packets, 1.5 MB with what they hold, taken as packets come; nothing while fewer than two nodes use it.
/// </remarks>
internal sealed class SharedPackets
{
    /// <summary>The most packets kept; a power of two.</summary>
    public const int CountMax = 512;

    private readonly Entry?[] _entries = new Entry?[CountMax];
    private int _holders;

    /// <summary>Packets that were opened for another node before.</summary>
    public long Hits { get; private set; }

    /// <summary>Packets that were opened.</summary>
    public long Misses { get; private set; }

    /// <summary>One more node uses this.</summary>
    public void Join() => _holders++;

    /// <summary>One node less uses this.</summary>
    public void Leave()
    {
        if (--_holders < 2)
        {
            Array.Clear(_entries);
        }
    }

    /// <summary>As <see cref="RegionKey.TryOpen"/>.</summary>
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
        // Nothing is here until it opened.
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
