using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Releases, newest first.</summary>
/// <param name="Call">The call.</param>
/// <param name="Code">None on success.</param>
/// <param name="Text">On failure, what the caller should do.</param>
/// <param name="Entries">The releases.</param>
internal sealed record HistoryResult(uint Call, ErrorCode Code, string Text, IReadOnlyList<HistoryEntry> Entries) : IMessage<HistoryResult>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.HistoryResult;

    /// <inheritdoc/>
    public static HistoryResult Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        ErrorCode code = (ErrorCode)reader.ReadU16();
        string text = reader.ReadText16(4_096);
        var entries = new HistoryEntry[reader.ReadCount16(40, 200)];
        for (int i = 0; i < entries.Length; i++)
        {
            entries[i] = HistoryEntry.Read(ref reader);
        }

        return new HistoryResult(call, code, text, entries);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
        writer.WriteU16((ushort)Entries.Count);
        foreach (HistoryEntry entry in Entries)
        {
            entry.Write(ref writer);
        }
    }
}
