namespace Ripple.Engine.Rings;

/// <summary>One stream in a token.</summary>
internal record struct RingTokenStream
{
    /// <summary>The position value that means none.</summary>
    public const ushort NoPosition = ushort.MaxValue;

    /// <summary>The sender's incarnation.</summary>
    public ulong Origin { get; set; }

    /// <summary>The lowest contiguous sequence of the visited members that count; <see cref="ulong.MaxValue"/> when none did.</summary>
    public ulong MinContiguous { get; set; }

    /// <summary>The position of the member with the lowest sequence; <see cref="NoPosition"/> when none counted.</summary>
    public ushort MinPosition { get; set; }

    /// <summary>The highest sequence known to any visited member.</summary>
    public ulong Highest { get; set; }

    /// <summary>The sender's highest floor that the leader knew when it started the round; 0 for none.</summary>
    public ulong Floor { get; set; }
}
