using System.Security.Cryptography;

namespace Ripple.Engine.Wire;

/// <summary>One key epoch of a region, ready for use. Owned by the opener it was added to, which disposes of it. Core thread.</summary>
public sealed class RegionKey : IDisposable
{
    /// <summary>The length of a key.</summary>
    public const int KeyBytes = 16;

    /// <summary>Takes a copy of the key.</summary>
    public RegionKey(uint epoch, ReadOnlySpan<byte> key)
    {
        Epoch = epoch;
        Cipher = new AesGcm(key, PacketHeader.TagSize);
    }

    /// <summary>The key epoch.</summary>
    public uint Epoch { get; }

    internal AesGcm Cipher { get; }

    /// <inheritdoc/>
    public void Dispose() => Cipher.Dispose();
}
