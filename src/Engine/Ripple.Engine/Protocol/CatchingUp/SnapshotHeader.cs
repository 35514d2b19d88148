using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>
/// The header after the one before it, on the way from the header of a past state to the one that is signed: of releases that were
/// committed together only the last is.
/// </summary>
/// <param name="Topic">The application.</param>
/// <param name="Header">The header.</param>
internal sealed record SnapshotHeader(uint Topic, ReadOnlyMemory<byte> Header) : IMessage<SnapshotHeader>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.SnapshotHeader;

    /// <inheritdoc/>
    public static SnapshotHeader Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        ReadOnlyMemory<byte> header = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        return new SnapshotHeader(topic, header);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteBlock32(Header.Span);
    }
}
