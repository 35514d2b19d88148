using Ripple.Engine.Protocol.Joining;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Goodbyes of a member that stays.</summary>
internal sealed class Leaves : IForgery
{
    /// <inheritdoc/>
    public string Name => "leaves";

    /// <inheritdoc/>
    public double Share => 0.15;

    /// <inheritdoc/>
    public int? Turn => 7;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Random.NextBool(0.2))
        {
            attacker.TrySend(new Leave("forged"));
        }
    }
}
