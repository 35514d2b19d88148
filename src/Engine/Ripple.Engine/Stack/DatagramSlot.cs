using Ripple.Engine.Core;

namespace Ripple.Engine.Stack;

/// <summary>Where a feed puts what it is asked for: a datagram, or a train of them.</summary>
internal ref struct DatagramSlot
{
    /// <summary>Makes a slot over the sink's own buffer.</summary>
    public DatagramSlot(Span<byte> scratch)
    {
        Scratch = scratch;
        Bytes = default;
        To = default;
        PacketBytes = 0;
    }

    /// <summary>
    /// The sink's buffer, at least <see cref="Wire.WireLimits.DatagramBytesMax"/>, for a feed that makes its datagram now.
    /// </summary>
    public Span<byte> Scratch { get; }

    /// <summary>
    /// The datagram, or the packets of a train: a part of <see cref="Scratch"/>, or bytes of the feed's own that stay until the next call
    /// into it.
    /// </summary>
    public ReadOnlySpan<byte> Bytes { get; set; }

    /// <summary>For a train, the size of each packet but the last, which is at most that; 0 (the default) for a single datagram.</summary>
    public int PacketBytes { get; set; }

    /// <summary>Where it goes.</summary>
    public NodeAddress To { get; set; }

    /// <summary>True when <see cref="Bytes"/> is more than one packet.</summary>
    public readonly bool IsTrain => PacketBytes > 0 && Bytes.Length > PacketBytes;

    /// <summary>How many packets <see cref="Bytes"/> is.</summary>
    public readonly int Packets => IsTrain ? (Bytes.Length + PacketBytes - 1) / PacketBytes : 1;
}
