using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Evidence;

/// <summary>Demands direct evidence for a wait: the node reports its levels as soon as it has received this release.</summary>
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
