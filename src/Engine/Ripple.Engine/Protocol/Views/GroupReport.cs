using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

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
