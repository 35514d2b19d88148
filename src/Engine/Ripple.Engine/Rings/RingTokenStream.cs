namespace Ripple.Engine.Rings;

/// <summary>One stream in a token.</summary>
internal record struct RingTokenStream
{
    /// <summary>The position that stands for none.</summary>
    public const ushort NoPosition = ushort.MaxValue;

    /// <summary>The sender's incarnation.</summary>
    public ulong Origin { get; set; }

    /// <summary>The least contiguous sequence over the members visited that count; <see cref="ulong.MaxValue"/> when none did.</summary>
    public ulong MinContiguous { get; set; }

    /// <summary>Who has the least; <see cref="NoPosition"/> when nobody counted.</summary>
    public ushort MinPosition { get; set; }

    /// <summary>The highest sequence anybody visited knows of.</summary>
    public ulong Highest { get; set; }

    /// <summary>What the sender called stable in an earlier round; 0 when nothing.</summary>
    public ulong Floor { get; set; }
}
