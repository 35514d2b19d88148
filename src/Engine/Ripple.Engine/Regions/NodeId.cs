using System.Globalization;

namespace Ripple.Engine.Regions;

/// <summary>The identity of a node: 16 random bytes assigned at enrollment and contained in its certificate. Ordered by value.</summary>
/// <param name="High">The first eight bytes, big-endian.</param>
/// <param name="Low">The last eight bytes, big-endian.</param>
public readonly record struct NodeId(ulong High, ulong Low) : IComparable<NodeId>
{
    /// <summary>True for the default value, which names no node.</summary>
    public bool IsNone => High == 0 && Low == 0;

    /// <summary>Reads the 32 hexadecimal digits that <see cref="ToString"/> writes.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out NodeId id)
    {
        id = default;
        if (text.Length != 32
            || !ulong.TryParse(text[..16], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong high)
            || !ulong.TryParse(text[16..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong low))
        {
            return false;
        }

        id = new NodeId(high, low);
        return true;
    }

    /// <inheritdoc/>
    public int CompareTo(NodeId other) => High != other.High ? High.CompareTo(other.High) : Low.CompareTo(other.Low);

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{High:x16}{Low:x16}");
}
