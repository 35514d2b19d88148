using Ripple.Engine.Regions;
using Ripple.Engine.Releases;

namespace Ripple.Testing.Adversary.Kinds;

/// <summary>The unsigned members of a batch that links to the head, as a host sends them; the signed one never comes.</summary>
internal sealed class UnsignedBatches : IForgery
{
    private const int ReleasesMax = 8;

    /// <inheritdoc/>
    public string Name => "unsigned batches";

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
        ulong release = held.Keys.Release;
        Digest160 previousId = held.Keys.Id;
        int count = 2 + attacker.Random.NextInt32(ReleasesMax);
        for (int i = 0; i < count; i++)
        {
            ReleaseHeader header = ReleaseForgery.Header(attacker, held, ++release, previousId, out byte[] value);
            previousId = header.Id;
            StreamForgery.TrySend(attacker, victims, ReleaseForgery.Encode(header, null, value), ahead: 1 + i);
        }
    }
}
