using System.Security.Cryptography;

namespace Ripple.Engine.Wire;

/// <summary>
/// A key that only one member and its host know, for one incarnation: what the region's seal cannot prove, who of the members says
/// something, is proved by a tag under this key. Core thread. Allocates nothing per tag.
/// </summary>
internal sealed class MemberKey
{
    /// <summary>The length of a key.</summary>
    public const int KeyBytes = 32;

    /// <summary>The length of a tag: HMAC-SHA256, cut.</summary>
    public const int TagBytes = 16;

    private const int ScopeBytes = sizeof(ulong) + sizeof(uint);
    private readonly byte[] _key;
    private readonly ulong _regionId;
    private readonly uint _slot;

    /// <summary>Takes a copy of the key.</summary>
    /// <param name="regionId">The region, which every tag covers.</param>
    /// <param name="slot">The member's slot, which every tag covers.</param>
    /// <param name="key">The key.</param>
    /// <exception cref="ArgumentException">The key is not 32 bytes.</exception>
    public MemberKey(ulong regionId, uint slot, ReadOnlySpan<byte> key)
    {
        if (key.Length != KeyBytes)
        {
            throw new ArgumentException($"A member key has {KeyBytes} bytes; this one has {key.Length}.", nameof(key));
        }

        _key = key.ToArray();
        _regionId = regionId;
        _slot = slot;
    }

    private static ReadOnlySpan<byte> Label => "ripple/member-tag/1"u8;

    /// <summary>Computes the tag of a text.</summary>
    /// <param name="text">At most the frames of one packet.</param>
    /// <param name="tag">Receives <see cref="TagBytes"/> bytes.</param>
    public void Sign(ReadOnlySpan<byte> text, Span<byte> tag)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(text.Length, WireLimits.FramesBytesMax, nameof(text));
        Span<byte> input = stackalloc byte[Label.Length + ScopeBytes + WireLimits.FramesBytesMax];
        var writer = new WireWriter(input);
        writer.WriteBytes(Label);
        writer.WriteU64(_regionId);
        writer.WriteU32(_slot);
        writer.WriteBytes(text);
        Span<byte> hash = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(_key, writer.Written, hash);
        hash[..TagBytes].CopyTo(tag);
    }

    /// <summary>Whether this is the tag of the text. Takes the same time for any wrong tag.</summary>
    public bool IsTagOf(ReadOnlySpan<byte> text, ReadOnlySpan<byte> tag)
    {
        if (text.Length > WireLimits.FramesBytesMax)
        {
            return false;
        }

        Span<byte> own = stackalloc byte[TagBytes];
        Sign(text, own);
        return CryptographicOperations.FixedTimeEquals(own, tag);
    }
}
