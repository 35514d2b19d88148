using System.Globalization;
using Ripple.Engine.Matching;

namespace Ripple.Client;

/// <summary>
/// A value of an attribute: a real number, a whole number or a time. A whole number is taken for a real one where a space asks for that.
/// NaN and infinity are refused by the host, by the name of the attribute. Immutable.
/// </summary>
public readonly struct RippleValue : IEquatable<RippleValue>
{
    private const long TicksToNs = 100;

    internal RippleValue(AttributeValue value) => Value = value;

    internal AttributeValue Value { get; }

    /// <summary>The value as a real number; a time as nanoseconds since 1970 UTC.</summary>
    public double AsDouble() => Value.Kind == AttributeKind.Real ? AttributeValue.RealOf(Value.Key) : Value.Key;

    /// <summary>The value as a whole number, cut off if it is a real one; a time as nanoseconds since 1970 UTC.</summary>
    public long AsInt64() => Value.Kind == AttributeKind.Real ? (long)AttributeValue.RealOf(Value.Key) : Value.Key;

    /// <summary>The value as a time, cut off to 100 ns.</summary>
    public DateTimeOffset AsTime() => DateTimeOffset.UnixEpoch.AddTicks(AsInt64() / TicksToNs);

    /// <summary>A real number.</summary>
    public static RippleValue FromDouble(double value) => new(AttributeValue.Real(value));

    /// <summary>A whole number.</summary>
    public static RippleValue FromInt64(long value) => new(AttributeValue.Integer(value));

    /// <summary>A time; what is outside of 1677 to 2262 is moved to the nearest.</summary>
    public static RippleValue FromTime(DateTimeOffset value)
    {
        Int128 ns = (Int128)(value.UtcTicks - DateTimeOffset.UnixEpoch.Ticks) * TicksToNs;
        return new RippleValue(AttributeValue.Time((long)Int128.Clamp(ns, long.MinValue, long.MaxValue)));
    }

    /// <inheritdoc cref="FromDouble"/>
    public static implicit operator RippleValue(double value) => FromDouble(value);

    /// <inheritdoc cref="FromInt64"/>
    public static implicit operator RippleValue(long value) => FromInt64(value);

    /// <inheritdoc cref="FromTime"/>
    public static implicit operator RippleValue(DateTimeOffset value) => FromTime(value);

    /// <summary>Whether both are of one kind and the same.</summary>
    public static bool operator ==(RippleValue left, RippleValue right) => left.Equals(right);

    /// <summary>Whether they differ, in kind or value.</summary>
    public static bool operator !=(RippleValue left, RippleValue right) => !left.Equals(right);

    /// <inheritdoc/>
    public bool Equals(RippleValue other) => Value == other.Value;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is RippleValue other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Value.GetHashCode();

    /// <summary>The value as people write it.</summary>
    public override string ToString() => Value.Kind == AttributeKind.Real
        ? AsDouble().ToString("R", CultureInfo.InvariantCulture)
        : SpaceText.Show(Value);
}
