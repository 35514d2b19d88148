using Ripple.Gms.Calls;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;

namespace Ripple.Gms.Sessions;

/// <summary>What all connections of a host share.</summary>
/// <param name="Context">What the host's rooms share.</param>
/// <param name="Counters">What is counted.</param>
/// <param name="Events">What is told.</param>
/// <param name="Tokens">The access tokens as the core knows them.</param>
/// <param name="Applications">The applications.</param>
/// <param name="Frontiers">Their frontiers.</param>
/// <param name="Regions">The regions.</param>
/// <param name="Calls">What nodes may ask for.</param>
/// <param name="Memory">The budget of what passes to connections.</param>
/// <param name="Values">Values that connections fetch.</param>
/// <param name="Bulk">Whose turn it is to be sent bulk.</param>
/// <param name="Address">What nodes are told of the host.</param>
internal sealed record SessionServices(
    HostContext Context,
    GmsCounters Counters,
    GmsEvents Events,
    AccessTokenTable Tokens,
    ApplicationTable Applications,
    FrontierSet Frontiers,
    RegionTable Regions,
    HostCalls Calls,
    TransientBudget Memory,
    ValueCache Values,
    BulkScheduler Bulk,
    HostAddress Address);
