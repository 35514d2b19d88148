namespace Ripple.Testing.Adversary.Kinds;

/// <summary>Ring tokens that speak of a generation that never began, or of rejections that never were.</summary>
internal sealed class NewerTokens : IForgery
{
    /// <inheritdoc/>
    public string Name => "newer tokens";

    /// <inheritdoc/>
    public double Share => 0.3;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held?.Keys is { Release: > 0 } head)
        {
            bool isNewer = attacker.Random.NextBool(0.5);
            Tokens.Send(attacker, isNewer ? head.Generation + 1 : head.Generation, head.Release, isNewer ? 0 : head.Release);
        }
    }
}
