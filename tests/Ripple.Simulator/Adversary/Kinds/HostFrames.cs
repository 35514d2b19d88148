using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Frames that only a host sends, frames of unknown types, and frames that are cut.</summary>
internal sealed class HostFrames : IForgery
{
    /// <inheritdoc/>
    public string Name => "frames of a host";

    /// <inheritdoc/>
    public double Share => 0.15;

    /// <inheritdoc/>
    public int? Turn => 3;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.View is not { } view)
        {
            return;
        }

        switch (attacker.Random.NextInt32(5))
        {
            case 0:
                attacker.TrySend(new ViewFull(view));
                return;
            case 1:
                attacker.TrySend(new RegionRekey(view.RegionId, attacker.Captured.KeyEpoch + 1, new byte[16]));
                return;
            case 2:
                attacker.TrySend(new CatchUpEnd(attacker.Captured.Topic, 1, 1_000));
                return;
            case 3:
                attacker.TrySend(new Goodbye("forged"));
                return;
            default:
                attacker.TrySend((ushort)(16 + attacker.Random.NextInt32(80)), new byte[attacker.Random.NextInt32(24)]);
                return;
        }
    }
}
