namespace Ripple.Engine.Matching;

/// <summary>
/// A subscription: a half-open range in each dimension, all of which an event must be in. Made by
/// <see cref="AttributeSpace.TryMakeBox"/>. Immutable.
/// </summary>
internal sealed class Box
{
    private readonly long[] _lows;
    private readonly long[] _highs;

    internal Box(AttributeSpace space, long[] lows, long[] highs)
    {
        Space = space;
        _lows = lows;
        _highs = highs;
    }

    public AttributeSpace Space { get; }

    /// <summary>The keys of the lowest values within, one a dimension.</summary>
    internal ReadOnlySpan<long> Lows => _lows;

    /// <summary>The keys of the lowest values above, one a dimension.</summary>
    internal ReadOnlySpan<long> Highs => _highs;
}

/// <summary>
/// An event's place in a space, to be set again for each event by <see cref="AttributeSpace.TrySetPoint"/>. For one thread at a time.
/// </summary>
internal sealed class Point(AttributeSpace space)
{
    private readonly long[] _keys = new long[BoxChunk.KeysOf(space.Dimensions.Count)];

    public AttributeSpace Space => space;

    /// <summary>It has a place: false before it was set, and after it was set to something that is not in the space.</summary>
    public bool IsSet { get; internal set; }

    /// <summary>The keys of the values, one a dimension, and zeros up to <see cref="BoxChunk.KeysOf"/>.</summary>
    internal Span<long> Keys => _keys;
}

/// <summary>
/// A box in an index. No two have the same: the place is used again when a box was removed, the stamp is not.
/// </summary>
/// <param name="Index">Its place, which no other box has at the same time.</param>
/// <param name="Stamp">The number of boxes that had been added with it.</param>
internal readonly record struct BoxId(int Index, long Stamp);
