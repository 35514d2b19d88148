using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>A batch of snapshot keys.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Keys">The keys, in order.</param>
internal sealed record SnapshotKeys(uint Topic, IReadOnlyList<SnapshotKey> Keys) : IMessage<SnapshotKeys>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.SnapshotKeys;

    /// <inheritdoc/>
    public static SnapshotKeys Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        var keys = new SnapshotKey[reader.ReadCount16(27, 2000)];
        for (int i = 0; i < keys.Length; i++)
        {
            keys[i] = SnapshotKey.Read(ref reader);
        }

        return new SnapshotKeys(topic, keys);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteU16((ushort)Keys.Count);
        foreach (SnapshotKey key in Keys)
        {
            key.Write(ref writer);
        }
    }
}
