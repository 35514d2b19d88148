using Ripple.Engine.Frontier;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Placement;

/// <summary>This host as a member of replica sets. With one host it is the only replica of every application.</summary>
internal static class LocalReplica
{
    /// <summary>The node id of the one host: hosts are not enrolled, and their ids are below all random ones.</summary>
    public static readonly NodeId Node = new(0, 1);

    public static FrontierMember Member(HostContext context) => new()
    {
        Node = Node,
        Incarnation = context.SlotEpoch,
        Name = context.Options.Name,
        HostName = context.Options.Name,
        Zone = context.Options.Zone,
        IsHost = true,
        IsReplica = true,
    };
}
