using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>The start of a snapshot of the application's state at one release.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Header">The release's header.</param>
/// <param name="Signature">The signature over its id, or over that of the last <see cref="SnapshotHeader"/> that follows.</param>
/// <param name="Before">Of a past state, as in the request; 0 for the newest.</param>
internal sealed record SnapshotBegin(
    uint Topic, ReadOnlyMemory<byte> Header, ReadOnlyMemory<byte> Signature, ulong Before = 0) : IMessage<SnapshotBegin>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.SnapshotBegin;

    /// <inheritdoc/>
    public static SnapshotBegin Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        ReadOnlyMemory<byte> header = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        ReadOnlyMemory<byte> signature = reader.ReadBlock16().ToArray();
        ulong before = reader.ReadU64();
        return new SnapshotBegin(topic, header, signature, before);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteBlock32(Header.Span);
        writer.WriteBlock16(Signature.Span);
        writer.WriteU64(Before);
    }
}
