namespace Ripple.Testing.Adversary.Kinds;

/// <summary>Finished rounds of a generation that never began, for every position.</summary>
internal sealed class NewerAggregates : IForgery
{
    /// <inheritdoc/>
    public string Name => "newer aggregates";

    /// <inheritdoc/>
    public double Share => 0.3;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held?.Keys is { } head)
        {
            uint generation = attacker.Random.NextBool(0.5) ? head.Generation + 1 : uint.MaxValue;
            Aggregates.Send(attacker, generation, head.Release + 1, rejected: 0);
        }
    }
}
