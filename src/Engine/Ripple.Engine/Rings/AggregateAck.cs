using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>Which way a leader's next aggregate goes to the sender.</summary>
/// <param name="Through">The slot of the leader that gathers it; its own if it gathers. 0, the default, for straight.</param>
/// <param name="Parts">Of how many parts that one gathers.</param>
internal readonly record struct AggregateRoute(uint Through, byte Parts)
{
    /// <summary>
    /// Of how many consecutive parts one leader gathers, so that the sender hears at most so many datagrams a round, if those of one leader
    /// fit one; 0 where each leader tells its own.
    /// </summary>
    /// <param name="parts">The parts of the view.</param>
    /// <param name="datagramsMax">How many datagrams a round; below 2 for no bound.</param>
    public static int PartsTogether(int parts, int datagramsMax) => datagramsMax < 2 || parts <= datagramsMax
        ? 0
        : Math.Clamp((parts + datagramsMax - 1) / datagramsMax, Math.Min(datagramsMax, byte.MaxValue), byte.MaxValue);
}

/// <summary>
/// The encoding of an aggregate's acknowledgement: <c>u64 view, u64 round, u8 count, each u64 origin, u64 floor</c>; then, if the next one
/// does not go straight, <c>u32 through, u8 parts</c>.
/// </summary>
internal static class AggregateAck
{
    public const int FloorsMax = RingLimits.StreamsKnownMax;

    public static bool TryWrite(
        ulong view, ulong round, scoped ReadOnlySpan<(ulong Origin, ulong Floor)> floors, AggregateRoute route, ref WireWriter writer)
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

        if (route.Through != 0)
        {
            writer.WriteU32(route.Through);
            writer.WriteU8(route.Parts);
        }

        return FrameWriter.End(ref writer, start);
    }

    public static DecodeStatus TryRead(
        ReadOnlySpan<byte> payload,
        Span<(ulong Origin, ulong Floor)> floors,
        out ulong view,
        out ulong round,
        out int count,
        out AggregateRoute route)
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

        route = reader.IsOk && reader.RemainingBytes > 0 ? new AggregateRoute(reader.ReadU32(), reader.ReadU8()) : default;
        return reader.End();
    }
}
