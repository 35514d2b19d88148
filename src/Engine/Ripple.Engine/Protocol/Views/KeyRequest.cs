using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>A request for another key of the region, from a node for which the present one is no longer of use.</summary>
/// <param name="RegionId">The region.</param>
/// <param name="KeyEpoch">The epoch of the present key. A host that has a newer one ignores the request.</param>
/// <param name="Fault">The reason.</param>
/// <param name="Slot">The slot whose packets are concerned; 0 is the host's.</param>
internal sealed record KeyRequest(ulong RegionId, uint KeyEpoch, KeyFault Fault, uint Slot) : IMessage<KeyRequest>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.KeyRequest;

    /// <inheritdoc/>
    public static KeyRequest Read(ref WireReader reader)
    {
        ulong regionId = reader.ReadU64();
        uint keyEpoch = reader.ReadU32();
        byte fault = reader.ReadU8();
        if (fault > (byte)KeyFault.Worn)
        {
            reader.Fail();
        }

        return new KeyRequest(regionId, keyEpoch, (KeyFault)fault, reader.ReadU32());
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(RegionId);
        writer.WriteU32(KeyEpoch);
        writer.WriteU8((byte)Fault);
        writer.WriteU32(Slot);
    }
}

/// <summary>Why a node asks for another key of its region. Stored on the wire: numbers are never reused.</summary>
internal enum KeyFault : byte
{
    /// <summary>It refuses the packets of a member: somebody counted ahead in that member's name.</summary>
    Deaf = 0,

    /// <summary>It has sealed half of the packets that it may seal with the key.</summary>
    Worn = 1,
}

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
