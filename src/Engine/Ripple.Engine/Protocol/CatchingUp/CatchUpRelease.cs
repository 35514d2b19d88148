using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>One release of a catch-up.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Message">The release message, as in the stream.</param>
internal sealed record CatchUpRelease(uint Topic, ReadOnlyMemory<byte> Message) : IMessage<CatchUpRelease>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.CatchUpRelease;

    /// <inheritdoc/>
    public static CatchUpRelease Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        ReadOnlyMemory<byte> message = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        return new CatchUpRelease(topic, message);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteBlock32(Message.Span);
    }
}
