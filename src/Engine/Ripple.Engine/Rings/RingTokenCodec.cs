using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>
/// The encoding of a token and of an aggregate, which is the same:
/// <code>
/// u64 view, u64 round, u64 confirmed, u16 hop, u16 visited, u8 flags (1 partial, 2 quiet)
/// u8 count, u16 each: positions silent in the confirmed round, ascending
/// u8 count, each: u64 origin, u64 minContiguous, u16 minPosition, u64 highest, u64 floor
/// u8 count, each: u32 topic, u32 generation, u64 base, u16 from, u16 until, and for received, persisted, applied
///     runs (u8 lag, run) for all covered positions; a run is one byte below 128, else two with the top bit set
/// u16 silent in total, u8 named, u16 each, ascending
/// u8 count, each: u16 position, u32 topic, u32 generation, u64 release, u8 length, reason
/// </code>
/// </summary>
internal static class RingTokenCodec
{
    private const byte FlagPartial = 1;
    private const byte FlagQuiet = 2;

    /// <summary>Writes the token; false when it does not fit, and the bytes written are then not a token.</summary>
    public static bool TryWrite(RingToken token, ref WireWriter writer)
    {
        writer.WriteU64(token.View);
        writer.WriteU64(token.Round);
        writer.WriteU64(token.Confirmed);
        writer.WriteU16(token.Hop);
        writer.WriteU16(token.Visited);
        writer.WriteU8((byte)((token.IsPartial ? FlagPartial : 0) | (token.IsQuiet ? FlagQuiet : 0)));
        WritePositions(ref writer, token.ConfirmedSilent);
        writer.WriteU8((byte)token.Streams.Length);
        foreach (ref readonly RingTokenStream stream in token.Streams)
        {
            writer.WriteU64(stream.Origin);
            writer.WriteU64(stream.MinContiguous);
            writer.WriteU16(stream.MinPosition);
            writer.WriteU64(stream.Highest);
            writer.WriteU64(stream.Floor);
        }

        writer.WriteU8((byte)token.Topics.Length);
        foreach (RingTokenTopic entry in token.Topics)
        {
            WriteTopic(token, entry, ref writer);
        }

        writer.WriteU16((ushort)token.SilentTotal);
        WritePositions(ref writer, token.Silent);
        writer.WriteU8((byte)token.Rejections.Length);
        foreach (RingTokenRejection rejection in token.Rejections)
        {
            writer.WriteU16(rejection.Position);
            writer.WriteU32(rejection.Topic);
            writer.WriteU32(rejection.Generation);
            writer.WriteU64(rejection.Release);
            writer.WriteU8((byte)rejection.Reason.Length);
            writer.WriteBytes(rejection.Reason);
        }

        return !writer.IsOverflow;
    }

    /// <summary>Reads a token. Never throws on invalid bytes; the content of the token is meaningless after a failure.</summary>
    public static DecodeStatus TryRead(ReadOnlySpan<byte> payload, RingToken into)
    {
        var reader = new WireReader(payload);
        into.Clear(reader.ReadU64(), reader.ReadU64());
        ulong confirmed = reader.ReadU64();
        into.Hop = reader.ReadU16();
        into.Visited = reader.ReadU16();
        byte flags = reader.ReadU8();
        into.IsPartial = (flags & FlagPartial) != 0;
        into.IsQuiet = (flags & FlagQuiet) != 0;
        Check(ref reader, flags <= (FlagPartial | FlagQuiet) && into.Round is > 0 and <= RingLimits.RoundMax && confirmed < into.Round);
        Check(ref reader, into.Visited is > 0 and <= WireLimits.RegionMembersMax);
        ReadConfirmed(ref reader, into, confirmed);
        int streams = ReadCount(ref reader, RingLimits.StreamsMax);
        for (int i = 0; i < streams && reader.IsOk; i++)
        {
            ReadStream(ref reader, into);
        }

        int topics = ReadCount(ref reader, RingLimits.TopicsMax);
        for (int i = 0; i < topics && reader.IsOk; i++)
        {
            ReadTopic(ref reader, into);
        }

        ReadSilent(ref reader, into);
        int rejections = ReadCount(ref reader, RingLimits.RejectionsMax);
        for (int i = 0; i < rejections && reader.IsOk; i++)
        {
            ReadRejection(ref reader, into);
        }

        return reader.End();
    }

    private static void WritePositions(ref WireWriter writer, ReadOnlySpan<ushort> positions)
    {
        writer.WriteU8((byte)positions.Length);
        foreach (ushort position in positions)
        {
            writer.WriteU16(position);
        }
    }

    private static void WriteTopic(RingToken token, RingTokenTopic entry, ref WireWriter writer)
    {
        writer.WriteU32(entry.Topic);
        writer.WriteU32(entry.Generation);
        writer.WriteU64(entry.Base);
        writer.WriteU16(entry.From);
        writer.WriteU16(entry.Until);
        for (int level = 0; level < RingTokenTopic.LevelCount; level++)
        {
            int node = -1;
            while (token.NextRun(entry, level, ref node, out byte lag, out ushort run))
            {
                writer.WriteU8(lag);
                if (run > RingToken.RunShortMax)
                {
                    writer.WriteU8((byte)(0x80 | (run >> 8)));
                }

                writer.WriteU8((byte)run);
            }
        }
    }

    private static void ReadConfirmed(ref WireReader reader, RingToken into, ulong confirmed)
    {
        Span<ushort> silent = stackalloc ushort[RingLimits.ConfirmedSilentMax];
        int count = ReadCount(ref reader, RingLimits.ConfirmedSilentMax);
        int previous = 0;
        for (int i = 0; i < count; i++)
        {
            silent[i] = reader.ReadU16();
            Check(ref reader, silent[i] > previous);
            previous = silent[i];
        }

        into.SetConfirmed(confirmed, silent[..count]);
    }

    private static void ReadStream(ref WireReader reader, RingToken into)
    {
        var stream = new RingTokenStream
        {
            Origin = reader.ReadU64(),
            MinContiguous = reader.ReadU64(),
            MinPosition = reader.ReadU16(),
            Highest = reader.ReadU64(),
            Floor = reader.ReadU64(),
        };
        bool isNone = stream.MinPosition == RingTokenStream.NoPosition;
        Check(
            ref reader,
            isNone ? stream.MinContiguous == ulong.MaxValue : stream.MinPosition < into.Visited && stream.MinContiguous <= stream.Highest);
        into.TryAddStream(stream);
    }

    private static void ReadTopic(ref WireReader reader, RingToken into)
    {
        uint topic = reader.ReadU32();
        uint generation = reader.ReadU32();
        ulong baseRelease = reader.ReadU64();
        ushort from = reader.ReadU16();
        ushort until = reader.ReadU16();
        Check(ref reader, from < until && from <= WireLimits.RegionMembersMax && (until == RingTokenTopic.Open || until <= into.Visited));
        if (!reader.IsOk || into.TryAddTopic(topic, generation, baseRelease, from, until) is not { } entry)
        {
            return;
        }

        entry.Covered = Math.Max(0, Math.Min(into.Visited, until) - from);
        for (int level = 0; level < RingTokenTopic.LevelCount; level++)
        {
            ReadRuns(ref reader, into, entry, level);
        }
    }

    private static void ReadRuns(ref WireReader reader, RingToken into, RingTokenTopic entry, int level)
    {
        int left = entry.Covered;
        while (left > 0 && reader.IsOk)
        {
            byte lag = reader.ReadU8();
            int run = reader.ReadU8();
            if (run > RingToken.RunShortMax)
            {
                run = ((run & 0x7F) << 8) | reader.ReadU8();
            }

            Check(ref reader, run > 0 && run <= left && (lag > RingLimits.LagExactMax || lag <= entry.Base));
            if (reader.IsOk)
            {
                into.AppendRun(entry, level, lag, (ushort)run);
                left -= run;
            }
        }
    }

    private static void ReadSilent(ref WireReader reader, RingToken into)
    {
        int total = reader.ReadU16();
        int named = ReadCount(ref reader, RingLimits.SilentMax);
        Check(ref reader, total == named || (total > named && named == RingLimits.SilentMax && total < into.Visited));
        int previous = 0;
        for (int i = 0; i < named; i++)
        {
            ushort position = reader.ReadU16();
            // A leader is never silent in its own round: RingToken.IsWithin checks the first of a part.
            Check(ref reader, position > previous && position < into.Visited);
            previous = position;
            into.AddSilent(position);
        }

        into.SilentTotal = total;
    }

    private static void ReadRejection(ref WireReader reader, RingToken into)
    {
        ushort position = reader.ReadU16();
        uint topic = reader.ReadU32();
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        int length = reader.ReadU8();
        Check(ref reader, position < into.Visited && length <= RingLimits.ReasonBytesMax);
        ReadOnlySpan<byte> reason = reader.ReadBytes(reader.IsOk ? length : 0);
        Check(ref reader, System.Text.Unicode.Utf8.IsValid(reason));
        if (reader.IsOk)
        {
            into.TryAddRejection()?.Set(position, topic, generation, release, reason);
        }
    }

    private static int ReadCount(ref WireReader reader, int max)
    {
        int count = reader.ReadU8();
        Check(ref reader, count <= max);
        return reader.IsOk ? count : 0;
    }

    private static void Check(ref WireReader reader, bool isPossible)
    {
        if (!isPossible)
        {
            reader.Fail();
        }
    }
}
