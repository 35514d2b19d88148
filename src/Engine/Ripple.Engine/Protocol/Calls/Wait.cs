using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Waits until a predicate holds for a release.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application.</param>
/// <param name="Generation">The generation; 0 for the current one.</param>
/// <param name="Release">The release.</param>
/// <param name="Predicate">The predicate.</param>
/// <param name="TimeoutMs">When to give up, in milliseconds; 0 for no timeout.</param>
/// <param name="CountLeft">Whether members that left or failed count as well, instead of being excluded.</param>
internal sealed record Wait(
    uint Call, string Application, uint Generation, ulong Release, string Predicate, uint TimeoutMs, bool CountLeft) : IMessage<Wait>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Wait;

    /// <inheritdoc/>
    public static Wait Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        string predicate = reader.ReadText16(4_096);
        uint timeoutMs = reader.ReadU32();
        bool countLeft = reader.ReadBool();
        return new Wait(call, application, generation, release, predicate, timeoutMs, countLeft);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        writer.WriteText16(Predicate);
        writer.WriteU32(TimeoutMs);
        writer.WriteBool(CountLeft);
    }
}
