using Ripple.Engine.Core;

namespace Ripple.Engine.Wire;

/// <summary>
/// Seals the packets of one member: AES-128-GCM, with slot and counter as the nonce and a separate count for each class. A slot belongs to
/// one incarnation, a key has one sealer, and a sealer counts from 1 under its key, so no nonce is used twice, not even after a restart:
/// that is another incarnation with another slot. Core thread. Allocates nothing per packet.
/// </summary>
internal sealed class PacketSealer : IPacketSealer
{
    /// <summary>
    /// The most packets one sealer seals under one key, all classes together: far below what AES-GCM allows with counted nonces.
    /// </summary>
    public const ulong PacketsMax = 1UL << 32;

    private readonly RegionKey _key;
    private readonly ulong _regionId;
    private readonly uint _slot;
    private readonly ulong _packetsMax;
    private readonly ulong[] _counters = new ulong[PacketLayout.ClassCount];

    /// <summary>Makes the sealer of one slot under one key.</summary>
    /// <param name="regionId">The region of the packets.</param>
    /// <param name="key">Its current key; used, not owned.</param>
    /// <param name="slot">The member slot of this node; 0 is the host's.</param>
    /// <param name="packetsMax">The most packets to seal under this key; below 2^56, the range of the counter.</param>
    /// <exception cref="InvalidOperationException">The key has a sealer already.</exception>
    public PacketSealer(ulong regionId, RegionKey key, uint slot, ulong packetsMax = PacketsMax)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(packetsMax, 1UL << PacketHeader.ClassShift);
        if (key.HasSealer)
        {
            throw new InvalidOperationException(
                $"The key of epoch {key.Epoch} has a sealer already; a second one would use its nonces again.");
        }

        key.HasSealer = true;
        _regionId = regionId;
        _key = key;
        _slot = slot;
        _packetsMax = packetsMax;
    }

    /// <summary>True once half of the packets are sealed: it is time for another key, so that the other half is never needed.</summary>
    public bool IsWorn => Sealed >= _packetsMax / 2;

    /// <summary>Packets sealed.</summary>
    public ulong Sealed { get; private set; }

    /// <inheritdoc/>
    /// <exception cref="ArgumentException">Header, frames and tag do not fit the buffer, or the 16 bits of the length field.</exception>
    public int Seal(Span<byte> datagram, int framesBytes, PacketClass packetClass)
    {
        int length = PacketHeader.Size + framesBytes + PacketHeader.TagSize;
        if (framesBytes < 0 || length > Math.Min(datagram.Length, ushort.MaxValue))
        {
            int sealBytes = PacketHeader.Size + PacketHeader.TagSize;
            throw new ArgumentException(
                $"{framesBytes} bytes of frames do not fit a datagram of {datagram.Length} bytes with {sealBytes} for the seal.");
        }

        if (Sealed >= _packetsMax)
        {
            return 0;
        }

        Sealed++;
        ulong counter = ++_counters[(int)packetClass] | ((ulong)packetClass << PacketHeader.ClassShift);
        var header = new PacketHeader(packetClass, length, _key.Epoch, _regionId, _slot, counter);
        Span<byte> packet = datagram[..length];
        header.Write(packet);
        _key.Seal(header, packet);
        return length;
    }
}

/// <summary>Turns frames into a sealed datagram under a region's key, at the moment of sending. Core thread.</summary>
internal interface IPacketSealer
{
    /// <summary>The offset of the frames in the buffer before sealing: right after the clear header.</summary>
    const int FramesOffset = 28;

    /// <summary>Seals in place.</summary>
    /// <param name="datagram">At least <see cref="WireLimits.DatagramBytesMax"/> bytes; the frames begin at
    /// <see cref="FramesOffset"/>.</param>
    /// <param name="framesBytes">The bytes of frames, at most <see cref="WireLimits.FramesBytesMax"/>.</param>
    /// <param name="packetClass">The class, which goes into the clear header and the counter.</param>
    /// <returns>The bytes of the whole datagram; 0 when this key must not seal more packets: nothing can be sent until there is
    /// another.</returns>
    int Seal(Span<byte> datagram, int framesBytes, PacketClass packetClass);
}
