using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Evidence;

/// <summary>A wait asks for direct evidence: report as soon as this release is reached.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Release">The release.</param>
internal sealed record DirectDemand(uint Topic, ulong Release) : IMessage<DirectDemand>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.DirectDemand;

    /// <inheritdoc/>
    public static DirectDemand Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        ulong release = reader.ReadU64();
        return new DirectDemand(topic, release);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteU64(Release);
    }
}
