using Ripple.Engine.Core;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>
/// Joins with invented claims: states ahead of the host, of other generations and applications; other zones, interests, versions and names;
/// addresses that are none.
/// </summary>
internal sealed class Joins : IForgery
{
    /// <inheritdoc/>
    public string Name => "joins";

    /// <inheritdoc/>
    public double Share => 0.2;

    /// <inheritdoc/>
    public int? Turn => 11;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (!attacker.Random.NextBool(0.15))
        {
            // A join ends the session before it: with more of them there would be no other forgeries.
            return;
        }

        switch (attacker.Random.NextInt32(8))
        {
            case 0:
                string zone = attacker.Random.NextBool(0.5) ? "\u001b[2J\r\nforged" : $"zone{attacker.Random.NextInt32(1_000)}";
                JoinForgery.Send(attacker, join => join with { Zone = zone });
                return;
            case 1:
                string[] interest = attacker.Random.NextBool(0.5) ? ["ops"] : [attacker.Captured.Application, "nowhere"];
                JoinForgery.Send(attacker, join => join with { Interest = interest });
                return;
            case 2:
                ushort version = (ushort)(attacker.Random.NextBool(0.5) ? 1 : attacker.Random.NextInt32(ushort.MaxValue));
                JoinForgery.Send(attacker, join => join with { ProtocolVersion = version });
                return;
            case 3:
                NodeAddress none = attacker.Random.NextBool(0.5) ? default : NodeAddress.FromIPv4(uint.MaxValue, 0);
                JoinForgery.Send(attacker, join => join with { DataAddress = none, ControlAddress = none });
                return;
            default:
                HeldState[] held = Invent(attacker);
                JoinForgery.Send(attacker, join => join with { Held = held });
                return;
        }
    }

    private static HeldState[] Invent(Attacker attacker)
    {
        Digest160 id = ReleaseForgery.Nowhere(attacker);
        uint generation = (uint)attacker.Random.NextInt32(4);
        ulong release = (ulong)attacker.Random.NextInt64(1_000);
        return [new HeldState(attacker.Captured.Application, generation, release, id), new HeldState("ops", 1, 7, id)];
    }
}
