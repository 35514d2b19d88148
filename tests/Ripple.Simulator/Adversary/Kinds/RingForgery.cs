using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Tokens and aggregates, which have one form.</summary>
internal static class RingForgery
{
    private const int RoundStepMax = 64;

    /// <summary>
    /// Writes a frame that says of each position visited that it received, persisted and applied a release. Returns the bytes; 0 when it
    /// does not fit.
    /// </summary>
    /// <param name="attacker">Whose it is.</param>
    /// <param name="type">A token or an aggregate.</param>
    /// <param name="leader">The position of who leads the round, where it begins.</param>
    /// <param name="visited">The position behind the last one that it went through.</param>
    /// <param name="generation">The generation it speaks of; 0 for none.</param>
    /// <param name="release">The release.</param>
    /// <param name="frames">Room for the frame.</param>
    /// <param name="rejected">The release that each position rejected; 0 for none.</param>
    public static int Write(
        Attacker attacker, FrameType type, int leader, int visited, uint generation, ulong release, Span<byte> frames, ulong rejected = 0)
    {
        CapturedMember captured = attacker.Captured;
        RegionView view = captured.View!;
        var token = new RingToken();
        // No round was seen: a large one, below the leap that members refuse.
        ulong seen = ((ulong)attacker.World.Scheduler.NowNs / 1_000_000) + (ulong)attacker.Random.NextInt64(RoundStepMax);
        token.Clear(view.Number.Value, RoundNumber.Next(seen, leader - view.PartOf(leader).First, view), leader);
        token.Hop = (ushort)(visited - leader);
        token.Visited = (ushort)visited;
        token.TryAddStream(new RingTokenStream
        {
            Origin = captured.Accepted!.HostIncarnation,
            MinContiguous = captured.Sequence,
            MinPosition = (ushort)leader,
            Highest = captured.Sequence,
            Floor = captured.Sequence / 2,
        });
        if (generation > 0 && token.TryAddTopic(captured.Topic, generation, release, 0) is { } entry)
        {
            for (int i = leader; i < visited; i++)
            {
                token.Append(entry, 0, 0, 0);
            }
        }

        for (int i = leader; rejected > 0 && i < Math.Min(visited, leader + RingLimits.RejectionsMax); i++)
        {
            token.TryAddRejection()?.Set((ushort)i, captured.Topic, Math.Max(1, generation), rejected, "forged"u8);
        }

        var writer = new WireWriter(frames);
        int start = FrameWriter.Begin(ref writer, type);
        writer.Take(type == FrameType.Aggregate ? AggregateProof.Bytes : 0);
        return RingTokenCodec.TryWrite(token, ref writer) && FrameWriter.End(ref writer, start) ? writer.Position : 0;
    }
}
