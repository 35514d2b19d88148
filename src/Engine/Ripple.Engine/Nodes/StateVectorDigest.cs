using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>The digest of the state of a set of applications: equal digests mean that nothing is missing.</summary>
internal static class StateVectorDigest
{
    /// <summary>Computes it over (application, generation, release, id), in ordinal order of the applications.</summary>
    public static Digest160 Compute(IEnumerable<(string Application, uint Generation, ulong Release, Digest160 Id)> entries)
    {
        byte[] buffer = new byte[Interest.RegionIdentity.InterestMax * 160];
        var writer = new WireWriter(buffer);
        foreach ((string application, uint generation, ulong release, Digest160 id) in entries.OrderBy(
            e => e.Application, StringComparer.Ordinal))
        {
            writer.WriteText8(application);
            // An application without a release must give the same digest whether or not its generation is known.
            writer.WriteU32(release == 0 ? 0 : generation);
            writer.WriteU64(release);
            WireParts.WriteDigest(ref writer, id);
        }

        return Digest160.Hash("ripple/vector/1"u8, writer.Written);
    }
}
