using Ripple.Engine.Interest;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Regions;

/// <summary>
/// The digest of the current states of a region's applications, brought up to date with what committed since. Core thread.
/// </summary>
internal sealed class RegionVector
{
    private readonly HostContext _context;
    private readonly InterestDigest _states;
    private readonly SortedDictionary<uint, ApplicationPrimary> _committed = [];

    public RegionVector(HostContext context, RegionIdentity identity, ApplicationTable applications)
    {
        _context = context;
        _states = new InterestDigest(identity.Interest);
        foreach (ApplicationPrimary primary in applications.Of(identity.Interest))
        {
            _committed.Add(primary.Topic, primary);
        }
    }

    /// <summary>An application of the region's interest committed releases.</summary>
    public void OnCommitted(ApplicationPrimary primary) => _committed[primary.Topic] = primary;

    public Digest160 Digest()
    {
        foreach (ApplicationPrimary primary in _committed.Values)
        {
            TopicState state = primary.State(_context.Epoch.Value);
            _states.Set(state.Application, state.Generation, state.Release, state.Id);
        }

        _committed.Clear();
        return _states.Digest;
    }
}
