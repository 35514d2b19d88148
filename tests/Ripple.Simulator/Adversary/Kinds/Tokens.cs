using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Ring tokens from a member before the victim, with lies about the members before it.</summary>
internal sealed class Tokens : IForgery
{
    /// <inheritdoc/>
    public string Name => "tokens";

    /// <inheritdoc/>
    public double Share => 0.4;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held?.Keys is { Release: > 0 } head)
        {
            Send(attacker, head.Generation, head.Release + (ulong)attacker.Random.NextInt64(4), rejected: 0);
        }
    }

    /// <summary>Sends a token to one member.</summary>
    public static void Send(Attacker attacker, uint generation, ulong release, ulong rejected)
    {
        if (attacker.Victim() is not { } victim)
        {
            return;
        }

        RegionView view = attacker.Captured.View!;
        int position = view.PositionOf(victim.Slot);
        if (position < 0)
        {
            return;
        }

        // Of the round of any member that may lead and is not behind the victim.
        RegionPart part = view.PartOf(position);
        int leader = part.First + attacker.Random.NextInt32(Math.Min(RoundNumber.LeadersOf(view), position - part.First + 1));
        if (part.End - leader < 2)
        {
            return;
        }

        // Who leads gets tokens from any other member, when they went all the way.
        bool isLeader = position == leader;
        int visited = isLeader ? part.End : position;
        int sealer = isLeader
            ? leader + 1 + attacker.Random.NextInt32(part.End - leader - 1)
            : leader + attacker.Random.NextInt32(position - leader);
        byte[] frames = new byte[WireLimits.FramesBytesMax];
        int length = RingForgery.Write(attacker, FrameType.Token, leader, visited, generation, release, frames, rejected);
        if (length > 0)
        {
            attacker.ToMember(victim, view.Members[sealer].Slot, PacketClass.Control, frames.AsSpan(0, length));
        }
    }
}
