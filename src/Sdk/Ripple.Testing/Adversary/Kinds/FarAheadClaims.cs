using Ripple.Engine.Releases;

namespace Ripple.Testing.Adversary.Kinds;

/// <summary>Unsigned releases far above the head, as far as an intake looks and a little further.</summary>
internal sealed class FarAheadClaims : IForgery
{
    /// <inheritdoc/>
    public string Name => "far-ahead claims";

    /// <inheritdoc/>
    public double Share => 0.6;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held is not { } held || attacker.Victim() is null)
        {
            return;
        }

        ulong ahead = 2 + (ulong)attacker.Random.NextInt64(PendingReleases.WindowReleases + 16);
        ReleaseHeader header = ReleaseForgery.Header(
            attacker, held, held.Keys.Release + ahead, ReleaseForgery.Nowhere(attacker), out byte[] value);
        StreamForgery.TrySend(
            attacker, attacker.Victims(), ReleaseForgery.Encode(header, null, value), ahead: 1 + attacker.Random.NextInt32(8));
    }
}
