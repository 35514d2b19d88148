using System.Buffers.Binary;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>
/// The proof of who tells an aggregate, at the beginning of its payload: <c>16 B tag, u64 count</c>, then the token. The tag covers all
/// behind it, the region and the slot. The count grows with every transmission under one member key, so that none is believed twice.
/// </summary>
internal static class AggregateProof
{
    /// <summary>The bytes before the token.</summary>
    public const int Bytes = MemberKey.TagBytes + sizeof(ulong);

    /// <summary>Writes the proof before a token that is in place.</summary>
    /// <param name="payload">The payload; its first <see cref="Bytes"/> bytes are written.</param>
    /// <param name="key">The key of the member that tells it.</param>
    /// <param name="count">A number above that of every transmission before.</param>
    public static void Write(Span<byte> payload, MemberKey key, ulong count)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(payload[MemberKey.TagBytes..], count);
        key.Sign(payload[MemberKey.TagBytes..], payload[..MemberKey.TagBytes]);
    }

    /// <summary>Whether the member with this key wrote the payload.</summary>
    /// <param name="payload">The payload of an aggregate frame.</param>
    /// <param name="key">The key of the member whose slot sealed it.</param>
    /// <param name="count">The number of the transmission: the caller refuses one that is not above the last.</param>
    public static bool TryVerify(ReadOnlySpan<byte> payload, MemberKey key, out ulong count)
    {
        count = 0;
        if (payload.Length < Bytes || !key.IsTagOf(payload[MemberKey.TagBytes..], payload[..MemberKey.TagBytes]))
        {
            return false;
        }

        count = BinaryPrimitives.ReadUInt64LittleEndian(payload[MemberKey.TagBytes..]);
        return true;
    }
}
