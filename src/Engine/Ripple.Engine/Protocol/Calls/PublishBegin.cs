using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Begins a publish; the bodies follow as parts on the same connection.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application.</param>
/// <param name="PublishId">Identifies the publish: repeating the same id with the same content publishes once.</param>
/// <param name="Expected">The newest release the publisher knows.</param>
/// <param name="Note">Human-readable: what changed and why.</param>
/// <param name="TraceParent">The W3C trace context of the publish; empty for none.</param>
/// <param name="Keys">The keys.</param>
internal sealed record PublishBegin(
    uint Call,
    string Application,
    Guid PublishId,
    ExpectedState Expected,
    string Note,
    string TraceParent,
    IReadOnlyList<PublishKey> Keys) : IMessage<PublishBegin>
{
    /// <summary>The number of an expected release that matches any.</summary>
    public const ulong AnyRelease = ulong.MaxValue;

    /// <inheritdoc/>
    public static MessageType Type => MessageType.PublishBegin;

    /// <inheritdoc/>
    public static PublishBegin Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        Guid publishId = WireParts.ReadGuid(ref reader);
        var expected = ExpectedState.Read(ref reader);
        string note = reader.ReadText16(4_096);
        string traceParent = reader.ReadText8();
        var keys = new PublishKey[reader.ReadCount16(8, 1000)];
        for (int i = 0; i < keys.Length; i++)
        {
            keys[i] = PublishKey.Read(ref reader);
        }

        return new PublishBegin(call, application, publishId, expected, note, traceParent, keys);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
        WireParts.WriteGuid(ref writer, PublishId);
        Expected.Write(ref writer);
        writer.WriteText16(Note);
        writer.WriteText8(TraceParent);
        writer.WriteU16((ushort)Keys.Count);
        foreach (PublishKey key in Keys)
        {
            key.Write(ref writer);
        }
    }
}
