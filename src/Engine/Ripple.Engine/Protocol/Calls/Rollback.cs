using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Publishes the state of a past release as a new release.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application.</param>
/// <param name="PublishId">As for a publish.</param>
/// <param name="ToRelease">The release whose state is restored.</param>
/// <param name="Expected">As for a publish.</param>
/// <param name="Note">Why.</param>
internal sealed record Rollback(
    uint Call, string Application, Guid PublishId, ulong ToRelease, ExpectedState Expected, string Note) : IMessage<Rollback>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Rollback;

    /// <inheritdoc/>
    public static Rollback Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        Guid publishId = WireParts.ReadGuid(ref reader);
        ulong toRelease = reader.ReadU64();
        var expected = ExpectedState.Read(ref reader);
        string note = reader.ReadText16(4_096);
        return new Rollback(call, application, publishId, toRelease, expected, note);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
        WireParts.WriteGuid(ref writer, PublishId);
        writer.WriteU64(ToRelease);
        Expected.Write(ref writer);
        writer.WriteText16(Note);
    }
}
