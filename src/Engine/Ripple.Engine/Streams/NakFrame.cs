using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>The frame by which a receiver asks for what it misses: <c>u64 origin, u16 count, count x (u64 first, u32 length)</c>, the ranges ascending.</summary>
public static class NakFrame
{
    /// <summary>The most ranges in one frame.</summary>
    public const int RangesMax = 32;

    /// <summary>The most bytes of the frame, with its header.</summary>
    public const int FrameBytesMax = FrameReader.HeaderBytes + 10 + (RangesMax * RangeBytes);

    private const int RangeBytes = 12;

    /// <summary>Writes the frame, with its header; at most <see cref="RangesMax"/> ranges.</summary>
    public static void Write(ref WireWriter writer, ulong origin, scoped ReadOnlySpan<SequenceRange> ranges)
    {
        int start = FrameWriter.Begin(ref writer, FrameType.Nak);
        writer.WriteU64(origin);
        writer.WriteU16((ushort)ranges.Length);
        foreach (SequenceRange range in ranges)
        {
            writer.WriteU64(range.First);
            writer.WriteU32(range.Length);
        }

        FrameWriter.End(ref writer, start);
    }

    /// <summary>Reads the frame's payload. Ranges that are empty, out of order or overlapping are malformed, so that what a frame asks for is bounded by
    /// the window it is compared with.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="origin">Whose stream.</param>
    /// <param name="ranges">Room for <see cref="RangesMax"/> ranges.</param>
    /// <param name="count">How many there are; 0 unless the status is Ok.</param>
    public static DecodeStatus Read(ReadOnlySpan<byte> payload, out ulong origin, Span<SequenceRange> ranges, out int count)
    {
        var reader = new WireReader(payload);
        origin = reader.ReadU64();
        int declared = reader.ReadCount16(RangeBytes, Math.Min(RangesMax, ranges.Length));
        ulong afterLast = 1;
        for (int i = 0; i < declared && reader.IsOk; i++)
        {
            var range = new SequenceRange(reader.ReadU64(), reader.ReadU32());
            if (range.Length == 0 || range.First < afterLast || range.First > StreamPosition.SequenceMax || range.Last > StreamPosition.SequenceMax)
            {
                reader.Fail();
                break;
            }

            afterLast = range.Last + 1;
            ranges[i] = range;
        }

        DecodeStatus status = reader.End();
        count = status == DecodeStatus.Ok ? declared : 0;
        return status;
    }
}
