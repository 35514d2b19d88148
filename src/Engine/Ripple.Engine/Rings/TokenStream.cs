namespace Ripple.Engine.Rings;

/// <summary>One stream in a token.</summary>
public struct TokenStream : IEquatable<TokenStream>
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

    /// <inheritdoc/>
    public readonly bool Equals(TokenStream other) =>
        Origin == other.Origin && MinContiguous == other.MinContiguous && MinPosition == other.MinPosition && Highest == other.Highest && Floor == other.Floor;

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is TokenStream other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => (int)Origin;

    /// <summary>Equal fields.</summary>
    public static bool operator ==(TokenStream a, TokenStream b) => a.Equals(b);

    /// <summary>Not equal fields.</summary>
    public static bool operator !=(TokenStream a, TokenStream b) => !a.Equals(b);
}
