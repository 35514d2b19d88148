namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Joins that claim to have seen a slot epoch far above the host's, again and again.</summary>
internal sealed class EpochClaims : IForgery
{
    private const uint Leap = 65_000;

    /// <inheritdoc/>
    public string Name => "epoch claims";

    /// <inheritdoc/>
    public double Share => 0.06;

    /// <inheritdoc/>
    public int? Turn => 14;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Random.NextBool(0.15) && attacker.Captured.View is { } view)
        {
            JoinForgery.Send(attacker, join => join with { SlotEpoch = view.Number.SlotEpoch + Leap });
        }
    }
}
