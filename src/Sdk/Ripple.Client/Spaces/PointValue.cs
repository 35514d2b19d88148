using Ripple.Engine.Matching;

namespace Ripple.Client.Spaces;

/// <summary>Values of dimensions as values of properties, and back.</summary>
internal static class PointValue
{
    /// <summary>Whether a dimension's values may be of this type.</summary>
    public static bool IsType(Type type) => IsReal(type) || IsWhole(type) || type == typeof(DateTimeOffset);

    /// <summary>The value of a property of one of those types.</summary>
    public static RippleValue Of(object value) => value switch
    {
        double real => real,
        float real => (double)real,
        DateTimeOffset time => time,
        long whole => whole,
        int whole => (long)whole,
        uint whole => (long)whole,
        short whole => (long)whole,
        ushort whole => (long)whole,
        byte whole => (long)whole,
        sbyte whole => (long)whole,
        _ => throw new ArgumentOutOfRangeException(nameof(value), value, "No dimension has values of this type."),
    };

    /// <summary>The value as one of a type; null if the type is for another kind, or too small.</summary>
    public static object? To(Type type, RippleValue value) => value.Value.Kind switch
    {
        AttributeKind.Real when type == typeof(double) => value.AsDouble(),
        AttributeKind.Real when type == typeof(float) => (float)value.AsDouble(),
        AttributeKind.Time when type == typeof(DateTimeOffset) => value.AsTime(),
        AttributeKind.Integer when IsWhole(type) => ToWhole(type, value.AsInt64()),
        _ => null,
    };

    /// <summary>The kind of a value, for people.</summary>
    public static string KindOf(RippleValue value) => $"of kind {value.Value.Kind.ToString().ToLowerInvariant()}";

    /// <summary>The type that has all values of its kind.</summary>
    public static string TypeFor(RippleValue value) => value.Value.Kind switch
    {
        AttributeKind.Real => "double",
        AttributeKind.Integer => "long",
        _ => "DateTimeOffset",
    };

    private static bool IsReal(Type type) => type == typeof(double) || type == typeof(float);

    private static bool IsWhole(Type type) => type == typeof(long) || type == typeof(int) || type == typeof(uint)
        || type == typeof(short) || type == typeof(ushort) || type == typeof(byte) || type == typeof(sbyte);

    private static object? ToWhole(Type type, long value) => Type.GetTypeCode(type) switch
    {
        TypeCode.Int64 => value,
        TypeCode.Int32 when value is >= int.MinValue and <= int.MaxValue => (int)value,
        TypeCode.UInt32 when value is >= 0 and <= uint.MaxValue => (uint)value,
        TypeCode.Int16 when value is >= short.MinValue and <= short.MaxValue => (short)value,
        TypeCode.UInt16 when value is >= 0 and <= ushort.MaxValue => (ushort)value,
        TypeCode.Byte when value is >= 0 and <= byte.MaxValue => (byte)value,
        TypeCode.SByte when value is >= sbyte.MinValue and <= sbyte.MaxValue => (sbyte)value,
        _ => null,
    };
}
