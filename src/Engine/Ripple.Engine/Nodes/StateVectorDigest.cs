using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>The digest of what a set of applications is at: equal digests mean that nothing is missed.</summary>
internal static class StateVectorDigest
{
    /// <summary>Computes it over (application, generation, release, id), by the applications' ordinal order.</summary>
    public static Digest160 Compute(IEnumerable<(string Application, uint Generation, ulong Release, Digest160 Id)> entries)
    {
        byte[] buffer = new byte[Interest.RegionIdentity.InterestMax * 160];
        var writer = new WireWriter(buffer);
        foreach ((string application, uint generation, ulong release, Digest160 id) in entries.OrderBy(
            e => e.Application, StringComparer.Ordinal))
        {
            writer.WriteText8(application);
            // An application without a release is the same to who knows its generation and who does not.
            writer.WriteU32(release == 0 ? 0 : generation);
            writer.WriteU64(release);
            WireParts.WriteDigest(ref writer, id);
        }

        return Digest160.Hash("ripple/vector/1"u8, writer.Written);
    }
}
