using Ripple.Engine.Matching;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Events;

/// <summary>The sizes of events that both sides of the control channel keep to.</summary>
internal static class EventLimits
{
    /// <summary>The most bytes of an event's payload: 64 KiB.</summary>
    public const int PayloadBytesMax = 65_536;

    /// <summary>
    /// The most subscriptions of one session, all of which one delivery must be able to name: beside the payload and sixteen values with
    /// the longest names it fits a frame.
    /// </summary>
    public const int SubscriptionsMax = 8_192;

    /// <summary>The most values or ranges on the wire: one a dimension.</summary>
    public const int ValuesMax = AttributeSpace.DimensionsMax;

    /// <summary>The most events that a client takes without acknowledging one; no host's window is larger.</summary>
    public const int WaitingMax = 65_536;

    private const int ValueBytesMin = 1 + 1 + 8;
    private const int RangeBytesMin = 1 + 1 + 8 + 8;

    public static void WriteValues(ref WireWriter writer, IReadOnlyList<NamedValue> values)
    {
        writer.WriteU16((ushort)values.Count);
        foreach (NamedValue value in values)
        {
            writer.WriteText8(value.Name);
            writer.WriteU8((byte)value.Value.Kind);
            writer.WriteI64(value.Value.Key);
        }
    }

    public static NamedValue[] ReadValues(ref WireReader reader)
    {
        var values = new NamedValue[reader.ReadCount16(ValueBytesMin, ValuesMax)];
        for (int i = 0; i < values.Length; i++)
        {
            string name = reader.ReadText8();
            AttributeKind kind = ReadKind(ref reader);
            values[i] = new NamedValue(name, AttributeValue.OfKey(kind, reader.ReadI64()));
        }

        return values;
    }

    public static void WriteRanges(ref WireWriter writer, IReadOnlyList<NamedRange> ranges)
    {
        writer.WriteU16((ushort)ranges.Count);
        foreach (NamedRange range in ranges)
        {
            writer.WriteText8(range.Name);
            writer.WriteU8((byte)range.From.Kind);
            writer.WriteI64(range.From.Key);
            writer.WriteU8((byte)range.To.Kind);
            writer.WriteI64(range.To.Key);
        }
    }

    public static NamedRange[] ReadRanges(ref WireReader reader)
    {
        var ranges = new NamedRange[reader.ReadCount16(RangeBytesMin, ValuesMax)];
        for (int i = 0; i < ranges.Length; i++)
        {
            string name = reader.ReadText8();
            AttributeKind kind = ReadKind(ref reader);
            var from = AttributeValue.OfKey(kind, reader.ReadI64());
            kind = ReadKind(ref reader);
            ranges[i] = new NamedRange(name, from, AttributeValue.OfKey(kind, reader.ReadI64()));
        }

        return ranges;
    }

    private static AttributeKind ReadKind(ref WireReader reader)
    {
        byte kind = reader.ReadU8();
        if (kind > (byte)AttributeKind.Time)
        {
            reader.Fail();
        }

        return (AttributeKind)kind;
    }
}
