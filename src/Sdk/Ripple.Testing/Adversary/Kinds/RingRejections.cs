namespace Ripple.Testing.Adversary.Kinds;

/// <summary>Finished rounds in which every member rejects the newest release, or the next one.</summary>
internal sealed class RingRejections : IForgery
{
    /// <inheritdoc/>
    public string Name => "ring rejections";

    /// <inheritdoc/>
    public double Share => 0.3;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held?.Keys is { } head)
        {
            ulong release = head.Release + (ulong)attacker.Random.NextInt64(2);
            Aggregates.Send(attacker, Math.Max(1, head.Generation), head.Release, Math.Max(1, release));
        }
    }
}
