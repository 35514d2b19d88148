namespace Ripple.Testing.Adversary.Kinds;

/// <summary>Beacons of the host by which members give up sequences they could still have, or that were not sent yet.</summary>
internal sealed class Skips : IForgery
{
    /// <inheritdoc/>
    public string Name => "skips";

    /// <inheritdoc/>
    public double Share => 0.08;

    /// <inheritdoc/>
    public int? Turn => 13;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        long most = attacker.Random.NextBool(0.8) ? 64 : attacker.Random.NextBool(0.5) ? 100_000 : 1L << 50;
        ulong first = attacker.Captured.Sequence + 1 + (ulong)attacker.Random.NextInt64(most);
        Beacons.Send(attacker, highest: first + 4, firstAvailable: first, floor: first - 1);
    }
}
