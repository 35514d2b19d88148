using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>
/// The multicast group to which the host also sends the region's stream: the node joins it and reports whether it hears it. Only sent to
/// nodes from version 2 on.
/// </summary>
/// <param name="RegionId">The region.</param>
/// <param name="Group">The group's address and port.</param>
internal sealed record RegionGroup(ulong RegionId, NodeAddress Group) : IMessage<RegionGroup>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.RegionGroup;

    /// <inheritdoc/>
    public static RegionGroup Read(ref WireReader reader)
    {
        ulong regionId = reader.ReadU64();
        return new RegionGroup(regionId, reader.ReadAddress());
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(RegionId);
        writer.WriteAddress(Group);
    }
}

/// <summary>
/// Whether a node hears its region's multicast group. Until it reports that it does, and after it reports that it does not, it receives the
/// stream by unicast.
/// </summary>
/// <param name="RegionId">The region.</param>
/// <param name="State">The node's state in the group.</param>
/// <param name="Reason">Human-readable: why it is not in the group, or what it missed; empty when it hears the group.</param>
internal sealed record GroupReport(ulong RegionId, GroupState State, string Reason) : IMessage<GroupReport>
{
    private const int ReasonBytesMax = 1_024;

    /// <inheritdoc/>
    public static MessageType Type => MessageType.GroupReport;

    /// <inheritdoc/>
    public static GroupReport Read(ref WireReader reader)
    {
        ulong regionId = reader.ReadU64();
        var state = (GroupState)reader.ReadU8();
        return new GroupReport(regionId, state, reader.ReadText16(ReasonBytesMax));
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(RegionId);
        writer.WriteU8((byte)State);
        writer.WriteText16(Reason);
    }
}

/// <summary>A node's state in its region's multicast group. Unknown numbers count as <see cref="NotJoined"/>.</summary>
internal enum GroupState : byte
{
    /// <summary>Not in the group, because the node cannot join it.</summary>
    NotJoined = 0,

    /// <summary>Joined, but the node does not hear the host there yet, or no longer does.</summary>
    Joined = 1,

    /// <summary>The host's packets to the group arrive.</summary>
    Hears = 2,
}
