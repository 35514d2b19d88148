using Ripple.Engine.Frontier;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Placement;

/// <summary>This host as a member of replica sets. With one host it is the only replica of every application.</summary>
internal static class LocalReplica
{
    /// <summary>The node id of the single host: hosts do not enroll, and their ids are below all random ones.</summary>
    public static readonly NodeId Node = new(0, 1);

    /// <param name="name">The host's name.</param>
    /// <param name="zone">Its zone.</param>
    /// <param name="slotEpoch">The epoch it orders in, used as its incarnation as a replica.</param>
    public static FrontierMember Member(string name, string zone, uint slotEpoch) => new()
    {
        Node = Node,
        Incarnation = slotEpoch,
        Name = name,
        HostName = name,
        Zone = zone,
        IsHost = true,
        IsReplica = true,
    };
}
