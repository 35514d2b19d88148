using Ripple.Engine.Regions;
using Ripple.Engine.Releases;

namespace Ripple.Testing.Adversary.Kinds;

/// <summary>Several different unsigned releases that claim the number after the head: more than an intake holds for one number.</summary>
internal sealed class UnsignedClaims : IForgery
{
    private const int ClaimsMax = 6;

    /// <inheritdoc/>
    public string Name => "unsigned claims";

    /// <inheritdoc/>
    public double Share => 0.6;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held is not { } held || attacker.Victim() is null)
        {
            return;
        }

        IReadOnlyList<RegionMember> victims = attacker.Victims();
        int count = 1 + attacker.Random.NextInt32(ClaimsMax);
        for (int i = 0; i < count; i++)
        {
            bool isLinked = attacker.Random.NextBool(0.7);
            ReleaseHeader header = ReleaseForgery.Header(
                attacker, held, held.Keys.Release + 1, isLinked ? held.Keys.Id : ReleaseForgery.Nowhere(attacker), out byte[] value);
            StreamForgery.TrySend(attacker, victims, ReleaseForgery.Encode(header, null, value), ahead: 1 + i);
        }
    }
}
