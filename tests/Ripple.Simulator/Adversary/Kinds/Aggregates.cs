using Ripple.Engine.Core;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>
/// Finished rounds with levels of all positions that are too high, sealed as the captured member or as any other, told as its
/// own or through it, and proved by the one key that the attacker has.
/// </summary>
internal sealed class Aggregates : IForgery
{
    /// <inheritdoc/>
    public string Name => "aggregates";

    /// <inheritdoc/>
    public double Share => 0.4;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held?.Keys is { Release: > 0 } head)
        {
            Send(attacker, head.Generation, head.Release + (ulong)attacker.Random.NextInt64(8), rejected: 0);
        }
    }

    /// <summary>Sends an aggregate to the host.</summary>
    public static void Send(Attacker attacker, uint generation, ulong release, ulong rejected)
    {
        if (attacker.Captured.View is not { Members.Length: > 0 } view)
        {
            return;
        }

        byte[] frames = new byte[WireLimits.FramesBytesMax];
        JoinAccepted accepted = attacker.Captured.Accepted!;
        // Of any part, and most of all of its own, which it may lead.
        int own = view.PositionOf(accepted.Slot);
        RegionPart part = own >= 0 && attacker.Random.NextBool(0.5)
            ? view.PartOf(own)
            : view.PartAt(attacker.Random.NextInt32(view.PartCount));
        int leader = part.First + attacker.Random.NextInt32(Math.Min(RoundNumber.LeadersOf(view), part.End - part.First));
        int length = RingForgery.Write(attacker, FrameType.Aggregate, leader, part.End, generation, release, frames, rejected);
        RegionMember any = view.Members[attacker.Random.NextInt32(view.Members.Length)];
        if (length > 0)
        {
            uint slot = attacker.Random.NextBool(0.5) ? accepted.Slot : any.Slot;
            var key = new MemberKey(view.RegionId, slot, accepted.MemberKey.Span);
            AggregateProof.Write(frames.AsSpan(FrameReader.HeaderBytes, length - FrameReader.HeaderBytes), key, attacker.NextCount());
            if (attacker.Random.NextBool(0.3))
            {
                length = Gather(any.Slot, frames, length);
            }

            attacker.ToHost(slot, PacketClass.Control, frames.AsSpan(0, length));
        }
    }

    /// <summary>The same as if another had told it through the sealer; as it is where that does not fit.</summary>
    private static int Gather(uint leader, byte[] frames, int length)
    {
        byte[] payload = frames[FrameReader.HeaderBytes..length];
        if (length + sizeof(uint) > frames.Length)
        {
            return length;
        }

        var writer = new WireWriter(frames);
        int start = FrameWriter.Begin(ref writer, FrameType.Gathered);
        writer.WriteU32(leader);
        writer.WriteBytes(payload);
        FrameWriter.End(ref writer, start);
        return writer.Position;
    }
}
