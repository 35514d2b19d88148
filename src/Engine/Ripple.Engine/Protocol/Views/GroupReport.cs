using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>
/// How a node stands to its region's multicast group. Until it says that it hears the group, and after it says that it does not, it gets
/// the stream by unicast.
/// </summary>
/// <param name="RegionId">The region.</param>
/// <param name="State">How it stands.</param>
/// <param name="Reason">For people: why it is not in the group, or what it missed; empty when it hears.</param>
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
