using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Asks for releases, newest first.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application.</param>
/// <param name="Before">Only releases before this one; <see cref="ulong.MaxValue"/> for the newest.</param>
/// <param name="Count">The most releases to return, limited to 1 to 200; the answer may contain fewer.</param>
internal sealed record History(uint Call, string Application, ulong Before, ushort Count) : IMessage<History>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.History;

    /// <inheritdoc/>
    public static History Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        ulong before = reader.ReadU64();
        ushort count = reader.ReadU16();
        return new History(call, application, before, count);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
        writer.WriteU64(Before);
        writer.WriteU16(Count);
    }
}
