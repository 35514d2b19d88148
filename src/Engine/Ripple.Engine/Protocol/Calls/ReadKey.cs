using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Looks up a key at a release.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application.</param>
/// <param name="Release">The release; 0 for the newest.</param>
/// <param name="Key">The key.</param>
internal sealed record ReadKey(uint Call, string Application, ulong Release, string Key) : IMessage<ReadKey>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.ReadKey;

    /// <inheritdoc/>
    public static ReadKey Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        ulong release = reader.ReadU64();
        string key = reader.ReadText16(4_096);
        return new ReadKey(call, application, release, key);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
        writer.WriteU64(Release);
        writer.WriteText16(Key);
    }
}
