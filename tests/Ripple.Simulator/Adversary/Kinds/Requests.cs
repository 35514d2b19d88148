using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Releases;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Requests on the own connection: catch-up from nowhere, values that are not there, views of other regions.</summary>
internal sealed class Requests : IForgery
{
    /// <inheritdoc/>
    public string Name => "requests";

    /// <inheritdoc/>
    public double Share => 0.6;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held?.Keys is not { } head || attacker.Captured.View is not { } view)
        {
            return;
        }

        uint topic = attacker.Random.NextBool(0.8) ? attacker.Captured.Topic : (uint)attacker.Random.NextInt32(4);
        Digest160 digest = ReleaseForgery.Nowhere(attacker);
        Digest160 known = head.Keys.Count > 0 ? head.Keys.First().Value.Digest : digest;
        switch (attacker.Random.NextInt32(6))
        {
            case 0:
                attacker.TrySend(
                    new CatchUpRequest(topic, (uint)attacker.Random.NextInt32(3), (ulong)attacker.Random.NextInt64(100), digest));
                return;
            case 1:
                attacker.TrySend(new BodyRequest(topic, attacker.Random.NextBool(0.5) ? known : digest));
                return;
            case 2:
                uint first = (uint)attacker.Random.NextInt32(4);
                attacker.TrySend(new ChunkRequest(topic, known, first, (uint)attacker.Random.NextInt32(100)));
                return;
            case 3:
                attacker.TrySend(new ViewRequest(attacker.Random.NextBool(0.5) ? view.RegionId : attacker.Random.NextUInt64()));
                return;
            case 4:
                attacker.TrySend(new StateVectorRequest());
                return;
            default:
                // Claims to be ahead: the host asks for a proof.
                attacker.TrySend(new CatchUpRequest(topic, head.Generation + 1, head.Release + 10, digest));
                return;
        }
    }
}
