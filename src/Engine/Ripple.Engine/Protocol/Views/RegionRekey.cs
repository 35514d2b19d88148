using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>A new key epoch of the region. The old key stays valid for two more seconds, and only for slots still in the view.</summary>
/// <param name="RegionId">The region.</param>
/// <param name="KeyEpoch">The new epoch.</param>
/// <param name="Key">The new key.</param>
internal sealed record RegionRekey(ulong RegionId, uint KeyEpoch, ReadOnlyMemory<byte> Key) : IMessage<RegionRekey>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.RegionRekey;

    /// <inheritdoc/>
    public static RegionRekey Read(ref WireReader reader)
    {
        ulong regionId = reader.ReadU64();
        uint keyEpoch = reader.ReadU32();
        ReadOnlyMemory<byte> key = reader.ReadBytes(RegionKey.KeyBytes).ToArray();
        return new RegionRekey(regionId, keyEpoch, key);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(RegionId);
        writer.WriteU32(KeyEpoch);
        writer.WriteBytes(Key.Span);
    }
}
