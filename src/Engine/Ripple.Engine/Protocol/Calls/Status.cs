using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Requests the progress of every node of an application.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application.</param>
internal sealed record Status(uint Call, string Application) : IMessage<Status>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Status;

    /// <inheritdoc/>
    public static Status Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        return new Status(call, application);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
    }
}

/// <summary>One page of the nodes' progress.</summary>
/// <param name="Call">The call.</param>
/// <param name="Code">None on success.</param>
/// <param name="Text">On failure, what the caller should do.</param>
/// <param name="IsLast">True for the last page.</param>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The newest committed release.</param>
/// <param name="Rows">The members.</param>
internal sealed record StatusResult(
    uint Call,
    ErrorCode Code,
    string Text,
    bool IsLast,
    uint Generation,
    ulong Release,
    IReadOnlyList<StatusRow> Rows) : IMessage<StatusResult>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.StatusResult;

    /// <inheritdoc/>
    public static StatusResult Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        ErrorCode code = (ErrorCode)reader.ReadU16();
        string text = reader.ReadText16(4_096);
        bool isLast = reader.ReadBool();
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        var rows = new StatusRow[reader.ReadCount16(60, 400)];
        for (int i = 0; i < rows.Length; i++)
        {
            rows[i] = StatusRow.Read(ref reader);
        }

        return new StatusResult(call, code, text, isLast, generation, release, rows);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
        writer.WriteBool(IsLast);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        writer.WriteU16((ushort)Rows.Count);
        foreach (StatusRow row in Rows)
        {
            row.Write(ref writer);
        }
    }
}

/// <summary>The progress of one member.</summary>
/// <param name="Node">The node.</param>
/// <param name="Incarnation">Its incarnation.</param>
/// <param name="Name">Its name.</param>
/// <param name="Zone">Its zone.</param>
/// <param name="State">0 present, 1 silent, 2 left, 3 failed.</param>
/// <param name="Received">The newest release received.</param>
/// <param name="Persisted">The newest release persisted.</param>
/// <param name="Applied">The newest release applied.</param>
/// <param name="DirectApplied">The newest release applied, as reported by the member itself and not through the ring.</param>
/// <param name="Rejected">The newest release rejected; 0 for none.</param>
/// <param name="Reason">Why it was rejected.</param>
internal sealed record StatusRow(
    NodeId Node,
    ulong Incarnation,
    string Name,
    string Zone,
    byte State,
    ulong Received,
    ulong Persisted,
    ulong Applied,
    ulong DirectApplied,
    ulong Rejected,
    string Reason)
{
    internal static StatusRow Read(ref WireReader reader)
    {
        NodeId node = WireParts.ReadNode(ref reader);
        ulong incarnation = reader.ReadU64();
        string name = reader.ReadText8();
        string zone = reader.ReadText8();
        byte state = reader.ReadU8();
        ulong received = reader.ReadU64();
        ulong persisted = reader.ReadU64();
        ulong applied = reader.ReadU64();
        ulong directApplied = reader.ReadU64();
        ulong rejected = reader.ReadU64();
        string reason = reader.ReadText16(4_096);
        return new StatusRow(node, incarnation, name, zone, state, received, persisted, applied, directApplied, rejected, reason);
    }

    internal void Write(ref WireWriter writer)
    {
        WireParts.WriteNode(ref writer, Node);
        writer.WriteU64(Incarnation);
        writer.WriteText8(Name);
        writer.WriteText8(Zone);
        writer.WriteU8(State);
        writer.WriteU64(Received);
        writer.WriteU64(Persisted);
        writer.WriteU64(Applied);
        writer.WriteU64(DirectApplied);
        writer.WriteU64(Rejected);
        writer.WriteText16(Reason);
    }
}
