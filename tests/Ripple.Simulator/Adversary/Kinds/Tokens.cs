using Ripple.Engine.Core;
using Ripple.Engine.Regions;
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
        int members = view.Members.Length;
        if (members < 2)
        {
            return;
        }

        // A leader gets tokens from any other member, when they went all the way.
        int visited = position == 0 ? members : position;
        int sealer = position == 0 ? 1 + attacker.Random.NextInt32(members - 1) : attacker.Random.NextInt32(position);
        byte[] frames = new byte[WireLimits.FramesBytesMax];
        int length = RingForgery.Write(attacker, FrameType.Token, visited, generation, release, frames, rejected);
        if (length > 0)
        {
            attacker.ToMember(victim, view.Members[sealer].Slot, PacketClass.Control, frames.AsSpan(0, length));
        }
    }
}
