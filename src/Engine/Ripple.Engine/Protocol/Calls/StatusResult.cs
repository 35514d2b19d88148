using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

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
