using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>The encoding of an aggregate's acknowledgement: <c>u64 view, u64 round, u8 count, each u64 origin, u64 floor</c>.</summary>
internal static class AggregateAck
{
    public const int FloorsMax = RingLimits.StreamsKnownMax;

    public static bool TryWrite(ulong view, ulong round, scoped ReadOnlySpan<(ulong Origin, ulong Floor)> floors, ref WireWriter writer)
    {
        int start = FrameWriter.Begin(ref writer, FrameType.AggregateAck);
        writer.WriteU64(view);
        writer.WriteU64(round);
        writer.WriteU8((byte)floors.Length);
        foreach ((ulong origin, ulong floor) in floors)
        {
            writer.WriteU64(origin);
            writer.WriteU64(floor);
        }

        return FrameWriter.End(ref writer, start);
    }

    public static DecodeStatus TryRead(
        ReadOnlySpan<byte> payload,
        Span<(ulong Origin, ulong Floor)> floors,
        out ulong view,
        out ulong round,
        out int count)
    {
        var reader = new WireReader(payload);
        view = reader.ReadU64();
        round = reader.ReadU64();
        count = reader.ReadU8();
        if (count > FloorsMax)
        {
            reader.Fail();
            count = 0;
        }

        for (int i = 0; i < count; i++)
        {
            floors[i] = (reader.ReadU64(), reader.ReadU64());
        }

        return reader.End();
    }
}
