using Ripple.Engine.Stack;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Regions;

/// <summary>Services shared by all regions of a host.</summary>
/// <param name="Context">The host's shared services.</param>
/// <param name="Counters">The host's counters.</param>
/// <param name="Events">The host's events.</param>
/// <param name="Applications">The applications whose releases are sent.</param>
/// <param name="Keys">The source of region keys.</param>
/// <param name="Groups">The multicast groups; null when the host has none.</param>
/// <param name="Incarnation">The host's incarnation: the origin of its streams.</param>
/// <param name="DataSink">Sends data and repairs.</param>
/// <param name="ControlSink">Sends beacons and acknowledgements.</param>
/// <param name="EvaluateWaits">Called once all evidence of an aggregate has been recorded.</param>
internal sealed record RegionServices(
    HostContext Context,
    GmsCounters Counters,
    GmsEvents Events,
    ApplicationTable Applications,
    IKeySource Keys,
    GroupRange? Groups,
    ulong Incarnation,
    IDatagramSink DataSink,
    IDatagramSink ControlSink,
    Action EvaluateWaits);
