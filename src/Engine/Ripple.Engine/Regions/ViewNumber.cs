using System.Globalization;

namespace Ripple.Engine.Regions;

/// <summary>The number of a region view: the owner's slot epoch, persisted before use, followed by a counter. Only grows.</summary>
/// <param name="Value">Epoch in the upper half, counter in the lower.</param>
internal readonly record struct ViewNumber(ulong Value) : IComparable<ViewNumber>
{
    /// <summary>Creates a number from its parts.</summary>
    public ViewNumber(uint slotEpoch, uint counter)
        : this(((ulong)slotEpoch << 32) | counter)
    {
    }

    /// <summary>The slot epoch of the primary that made the view.</summary>
    public uint SlotEpoch => (uint)(Value >> 32);

    /// <summary>The view's counter in that epoch.</summary>
    public uint Counter => (uint)Value;

    /// <summary>The next view of the same epoch.</summary>
    public ViewNumber Next() => new(SlotEpoch, checked(Counter + 1));

    /// <inheritdoc/>
    public int CompareTo(ViewNumber other) => Value.CompareTo(other.Value);

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{SlotEpoch}.{Counter}");
}
