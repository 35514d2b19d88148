using System.Buffers.Binary;
using Ripple.Engine.Core;

namespace Ripple.Engine.Wire;

/// <summary>
/// Seals what one member sends: AES-128-GCM, nonce = slot and counter. A slot belongs to one incarnation and a sealer counts from 1 under its key, so no nonce is
/// used twice, after a restart either: that is another incarnation, another slot. Core thread.
/// </summary>
public sealed class PacketSealer : IPacketSealer
{
    /// <summary>The most packets one sealer seals under one key, all classes together: far below what AES-GCM allows.</summary>
    public const ulong PacketsMax = 1UL << 32;

    private readonly RegionKey _key;
    private readonly ulong _regionId;
    private readonly uint _slot;
    private readonly ulong[] _counters = new ulong[4];

    /// <summary>Makes the sealer of one slot under one key.</summary>
    public PacketSealer(ulong regionId, RegionKey key, uint slot)
    {
        ArgumentNullException.ThrowIfNull(key);
        _regionId = regionId;
        _key = key;
        _slot = slot;
    }

    /// <summary>Packets sealed.</summary>
    public ulong Sealed { get; private set; }

    /// <inheritdoc/>
    public int Seal(Span<byte> datagram, int framesBytes, PacketClass packetClass)
    {
        if (Sealed >= PacketsMax)
        {
            return 0;
        }

        Sealed++;
        ulong counter = ++_counters[(int)packetClass] | ((ulong)packetClass << PacketHeader.ClassShift);
        int length = PacketHeader.Size + framesBytes + PacketHeader.TagSize;
        new PacketHeader(packetClass, length, _key.Epoch, _regionId, _slot, counter).Write(datagram);
        Span<byte> nonce = stackalloc byte[12];
        BinaryPrimitives.WriteUInt32BigEndian(nonce, _slot);
        BinaryPrimitives.WriteUInt64BigEndian(nonce[4..], counter);
        Span<byte> frames = datagram.Slice(PacketHeader.Size, framesBytes);
        _key.Cipher.Encrypt(nonce, frames, frames, datagram.Slice(PacketHeader.Size + framesBytes, PacketHeader.TagSize), datagram[..PacketHeader.Size]);
        return length;
    }
}
