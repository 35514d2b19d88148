using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>The outcome of a publish or a rollback.</summary>
/// <param name="Call">The call.</param>
/// <param name="Code">None when it was committed.</param>
/// <param name="Text">On failure, what the caller should do.</param>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The committed release; after a wrong expected release, the newest one.</param>
/// <param name="Id">Its id.</param>
internal sealed record PublishResult(
    uint Call, ErrorCode Code, string Text, uint Generation, ulong Release, Digest160 Id) : IMessage<PublishResult>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.PublishResult;

    /// <inheritdoc/>
    public static PublishResult Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        ErrorCode code = (ErrorCode)reader.ReadU16();
        string text = reader.ReadText16(4_096);
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        Digest160 id = WireParts.ReadDigest(ref reader);
        return new PublishResult(call, code, text, generation, release, id);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        WireParts.WriteDigest(ref writer, Id);
    }
}
