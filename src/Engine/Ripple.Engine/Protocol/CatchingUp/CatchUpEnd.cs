using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>The end of a catch-up: the node has been sent everything up to this release.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The newest release sent.</param>
internal sealed record CatchUpEnd(uint Topic, uint Generation, ulong Release) : IMessage<CatchUpEnd>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.CatchUpEnd;

    /// <inheritdoc/>
    public static CatchUpEnd Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        return new CatchUpEnd(topic, generation, release);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
    }
}
