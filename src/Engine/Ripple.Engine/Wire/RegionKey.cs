using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Ripple.Engine.Wire;

/// <summary>
/// One key epoch of a region, ready for use by one node. Owned by the opener it is given to, which disposes of it. Core thread.
/// </summary>
internal sealed class RegionKey : IDisposable
{
    /// <summary>The length of a key.</summary>
    public const int KeyBytes = 16;

    private const int NonceBytes = 12;

    private readonly AesGcm _cipher;

    /// <summary>Takes a copy of the key.</summary>
    /// <exception cref="ArgumentException">The key is not 16 bytes.</exception>
    public RegionKey(uint epoch, ReadOnlySpan<byte> key)
    {
        if (key.Length != KeyBytes)
        {
            throw new ArgumentException($"A region key has {KeyBytes} bytes; this one has {key.Length}.", nameof(key));
        }

        Epoch = epoch;
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData([.. "ripple/region-key-id"u8, .. key], hash);
        Id = BinaryPrimitives.ReadUInt128BigEndian(hash);
        _cipher = new AesGcm(key, PacketHeader.TagSize);
    }

    /// <summary>The key epoch.</summary>
    public uint Epoch { get; }

    /// <summary>The same for equal keys; reveals nothing about them.</summary>
    internal UInt128 Id { get; }

    /// <summary>True once a sealer counts under this key; a second one would reuse its nonces.</summary>
    internal bool HasSealer { get; set; }

    /// <inheritdoc/>
    public void Dispose() => _cipher.Dispose();

    /// <summary>Seals a packet whose header is written and whose frames are in place.</summary>
    internal void Seal(in PacketHeader header, Span<byte> packet)
    {
        Span<byte> nonce = stackalloc byte[NonceBytes];
        WriteNonce(header, nonce);
        Span<byte> frames = packet[PacketHeader.Size..^PacketHeader.TagSize];
        _cipher.Encrypt(nonce, frames, frames, packet[^PacketHeader.TagSize..], packet[..PacketHeader.Size]);
    }

    /// <summary>Opens a packet in place; false when the tag does not match, which destroys the frames.</summary>
    internal bool TryOpen(in PacketHeader header, Span<byte> packet)
    {
        Span<byte> nonce = stackalloc byte[NonceBytes];
        WriteNonce(header, nonce);
        Span<byte> frames = packet[PacketHeader.Size..^PacketHeader.TagSize];
        try
        {
            _cipher.Decrypt(nonce, frames, packet[^PacketHeader.TagSize..], frames, packet[..PacketHeader.Size]);
            return true;
        }
        catch (AuthenticationTagMismatchException)
        {
            return false;
        }
    }

    private static void WriteNonce(in PacketHeader header, Span<byte> nonce)
    {
        BinaryPrimitives.WriteUInt32BigEndian(nonce, header.Slot);
        BinaryPrimitives.WriteUInt64BigEndian(nonce[4..], header.Counter);
    }
}
