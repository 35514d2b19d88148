using Ripple.Engine.Interest;
using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Regions;

/// <summary>
/// The digest of the current states of a region's applications, recomputed only after one of them changed and not for each heartbeat. Core
/// thread.
/// </summary>
internal sealed class RegionVector(HostContext context, RegionIdentity identity, ApplicationTable applications)
{
    private Digest160 _digest;
    private long _version = -1;

    public Digest160 Digest()
    {
        if (_version != applications.Version)
        {
            _version = applications.Version;
            _digest = StateVectorDigest.Compute(applications.Of(identity.Interest)
                .Select(p => p.State(context.Epoch.Value))
                .Select(t => (t.Application, t.Generation, t.Release, t.Id)));
        }

        return _digest;
    }
}
