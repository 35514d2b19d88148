using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>The next bytes of the bodies, which are sent back to back.</summary>
/// <param name="Call">The call number of the publish.</param>
/// <param name="Bytes">The bytes.</param>
internal sealed record PublishPart(uint Call, ReadOnlyMemory<byte> Bytes) : IMessage<PublishPart>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.PublishPart;

    /// <inheritdoc/>
    public static PublishPart Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        ReadOnlyMemory<byte> bytes = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        return new PublishPart(call, bytes);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteBlock32(Bytes.Span);
    }
}
