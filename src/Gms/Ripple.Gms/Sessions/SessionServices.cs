using Ripple.Engine.Core;
using Ripple.Gms.Calls;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;

namespace Ripple.Gms.Sessions;

/// <summary>Services shared by all connections of a host.</summary>
/// <param name="Context">The host's shared services.</param>
/// <param name="Counters">The host's counters.</param>
/// <param name="Events">The host's events.</param>
/// <param name="Tokens">The core's copy of the access tokens.</param>
/// <param name="Applications">The applications.</param>
/// <param name="Frontiers">Their frontiers.</param>
/// <param name="Regions">The regions.</param>
/// <param name="Calls">The host's calls.</param>
/// <param name="Memory">The budget for data in transit to connections.</param>
/// <param name="Values">The cache of values that connections fetch.</param>
/// <param name="Bulk">The scheduler of bulk turns.</param>
/// <param name="Address">The host's address, as sent to nodes.</param>
internal sealed record SessionServices(
    HostContext Context,
    GmsCounters Counters,
    GmsEvents Events,
    AccessTokenTable Tokens,
    ApplicationTable Applications,
    FrontierSet Frontiers,
    RegionTable Regions,
    CallService Calls,
    TransientBudget Memory,
    ValueCache Values,
    BulkScheduler Bulk,
    HostAddress Address);

/// <summary>A host's incarnation and addresses, as sent to joiners.</summary>
/// <param name="Incarnation">The host's incarnation: the origin of its streams.</param>
/// <param name="Data">The address it sends data from.</param>
/// <param name="Control">The address that receives repair requests and aggregates.</param>
internal sealed record HostAddress(ulong Incarnation, NodeAddress Data, NodeAddress Control);
