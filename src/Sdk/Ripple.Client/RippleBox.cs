using Ripple.Engine.Matching;

namespace Ripple.Client;

/// <summary>Ranges of attributes, in all of which an event must be; what is not named is open.</summary>
public sealed class RippleBox
{
    private readonly List<NamedRange> _ranges = [];

    /// <summary>Asks for a range of an attribute.</summary>
    /// <param name="name">The name of the dimension; once in a box.</param>
    /// <param name="from">The lowest value that is in it.</param>
    /// <param name="to">The lowest value above it.</param>
    /// <returns>This box.</returns>
    public RippleBox Where(string name, RippleValue from, RippleValue to)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        _ranges.Add(new NamedRange(name, from.Value, to.Value));
        return this;
    }

    internal NamedRange[] ToRanges() => [.. _ranges];
}
