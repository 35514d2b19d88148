using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Evidence;

/// <summary>
/// What a node and other members of its region did for each other since the node started; sent behind a heartbeat when it changed, from
/// version 10 on. What a host shows of it is the node's word, and nothing is decided by it.
/// </summary>
/// <param name="Made">Packets that it sent again to members that asked for them.</param>
/// <param name="Received">Packets that members sent to it again, which it had asked for.</param>
/// <param name="Missed">Packets that it was asked for and did not have.</param>
internal sealed record RepairReport(ulong Made, ulong Received, ulong Missed) : IMessage<RepairReport>
{
    /// <summary>Nothing.</summary>
    public static RepairReport None { get; } = new(0, 0, 0);

    /// <inheritdoc/>
    public static MessageType Type => MessageType.RepairReport;

    /// <inheritdoc/>
    public static RepairReport Read(ref WireReader reader)
    {
        ulong made = reader.ReadU64();
        ulong received = reader.ReadU64();
        return new RepairReport(made, received, reader.ReadU64());
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(Made);
        writer.WriteU64(Received);
        writer.WriteU64(Missed);
    }
}
