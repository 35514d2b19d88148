using Ripple.Engine.Stack;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Regions;

/// <summary>What all regions of a host share.</summary>
/// <param name="Context">What the host's rooms share.</param>
/// <param name="Counters">What is counted.</param>
/// <param name="Events">What is told.</param>
/// <param name="Applications">Whose releases are sent.</param>
/// <param name="Keys">Where region keys come from.</param>
/// <param name="Groups">Multicast groups; null when the host has none.</param>
/// <param name="Incarnation">The host's incarnation: the origin of its streams.</param>
/// <param name="DataSink">Sends data and repairs.</param>
/// <param name="ControlSink">Sends beacons and acknowledgements.</param>
/// <param name="EvaluateWaits">Told when all evidence of one aggregate was taken in.</param>
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
