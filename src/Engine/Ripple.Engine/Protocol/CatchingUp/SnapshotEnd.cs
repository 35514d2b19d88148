using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>The end of a snapshot: all its keys have been sent.</summary>
/// <param name="Topic">The application.</param>
/// <param name="KeyCount">How many keys the snapshot has.</param>
internal sealed record SnapshotEnd(uint Topic, uint KeyCount) : IMessage<SnapshotEnd>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.SnapshotEnd;

    /// <inheritdoc/>
    public static SnapshotEnd Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        uint keyCount = reader.ReadU32();
        return new SnapshotEnd(topic, keyCount);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteU32(KeyCount);
    }
}
