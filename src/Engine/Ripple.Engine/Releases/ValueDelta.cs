using System.Buffers;
using System.Numerics;

namespace Ripple.Engine.Releases;

/// <summary>
/// The new value of a key as an edit of the one before it: what both begin and end with, and blocks found elsewhere, are copied, the rest
/// is inserted. It names neither the base nor the length of the result, since who applies it knows both. Pure; any thread.
/// </summary>
/// <remarks>
/// Instructions, one after the other, until the result is whole. Each begins with a number: twice its length, plus one for a copy. A copy
/// goes on with the distance of its source from the end of the copy before it (from 0 at first), zigzag; an insertion with its bytes.
/// Numbers are of 7 bits a byte, the lowest first, the top bit set in all but the last, and no longer than they need to be: one list of
/// instructions has one encoding. No instruction is empty, so a result of n bytes takes at most n of them.
/// </remarks>
internal static class ValueDelta
{
    /// <summary>The longest base, and the longest value, in bytes. What is longer travels by its chunks.</summary>
    public const int ValueBytesMax = 1_024 * 1_024;

    /// <summary>
    /// What <see cref="TryMake"/> holds while it works, besides its arguments and result: a word a block, rounded up to a power of two, and
    /// what it has written, which is shorter than the value. Both come from the shared pool.
    /// </summary>
    public const int ScratchBytesMax = (sizeof(int) * (ValueBytesMax / BlockBytes)) + ValueBytesMax;

    // The shortest copy that is looked for. Shorter ones find more in small edits of moved lines, and double the table.
    private const int BlockBytes = 16;

    // The hash of a window is a polynomial in the base; the multiplier spreads it over the slots.
    private const uint Multiplier = 0x9E37_79B1;
    private const int NumberBytesMax = 5;
    private const int SlotsMin = 16;
    private const uint Base = 0x0100_0193;
    private static readonly uint Leaving = Power(Base, BlockBytes);

    /// <summary>
    /// Makes the delta that turns <paramref name="source"/> into <paramref name="value"/>. Null when it would not be shorter than
    /// <paramref name="bytesMax"/>, or when either is longer than <see cref="ValueBytesMax"/>. Time is linear in both.
    /// </summary>
    public static byte[]? TryMake(ReadOnlySpan<byte> source, ReadOnlySpan<byte> value, int bytesMax)
    {
        int room = Math.Min(bytesMax, value.Length) - 1;
        if (room <= 0 || source.IsEmpty || source.Length > ValueBytesMax || value.Length > ValueBytesMax)
        {
            return null;
        }

        byte[] buffer = ArrayPool<byte>.Shared.Rent(room);
        var writer = new Writer(buffer.AsSpan(0, room));
        Describe(source, value, ref writer);
        byte[]? made = writer.TryEnd(out ReadOnlySpan<byte> written) ? written.ToArray() : null;
        ArrayPool<byte>.Shared.Return(buffer);
        return made;
    }

    /// <summary>
    /// Makes the value, which has exactly the length of <paramref name="value"/>. False for every delta that does not fill it to its end,
    /// has bytes left, copies from outside <paramref name="source"/>, or has a number that <see cref="TryMake"/> would not write so;
    /// <paramref name="value"/> then has anything. Allocates nothing, and takes time linear in the delta and the value. That the bytes are
    /// the right ones is for the caller to check.
    /// </summary>
    public static bool TryApply(ReadOnlySpan<byte> delta, ReadOnlySpan<byte> source, Span<byte> value)
    {
        int end = 0;
        while (!value.IsEmpty)
        {
            if (!TryReadNumber(ref delta, out uint head))
            {
                return false;
            }

            int length = (int)(head >> 1);
            if (length == 0 || length > value.Length)
            {
                return false;
            }

            if ((head & 1) == 0)
            {
                if (length > delta.Length)
                {
                    return false;
                }

                delta[..length].CopyTo(value);
                delta = delta[length..];
            }
            else
            {
                if (!TryReadNumber(ref delta, out uint distance))
                {
                    return false;
                }

                long from = end + (long)((int)(distance >> 1) ^ -(int)(distance & 1));
                if (from < 0 || from + length > source.Length)
                {
                    return false;
                }

                source.Slice((int)from, length).CopyTo(value);
                end = (int)from + length;
            }

            value = value[length..];
        }

        return delta.IsEmpty;
    }

    private static void Describe(ReadOnlySpan<byte> source, ReadOnlySpan<byte> value, ref Writer writer)
    {
        int prefix = source.CommonPrefixLength(value);
        int suffix = CommonSuffixLength(source[prefix..], value[prefix..]);
        int middleEnd = value.Length - suffix;
        writer.Copy(0, prefix);
        if (middleEnd - prefix < BlockBytes || source.Length < BlockBytes)
        {
            writer.Insert(value[prefix..middleEnd]);
        }
        else
        {
            DescribeMiddle(source, value[..middleEnd], prefix, ref writer);
        }

        writer.Copy(source.Length - suffix, suffix);
    }

    /// <summary>
    /// Looks for each window of the value among the blocks of the source, and lets what it finds grow in both directions: backwards into
    /// what was to be inserted. Each window is compared with one block at most, and what has grown is not looked at again.
    /// </summary>
    private static void DescribeMiddle(ReadOnlySpan<byte> source, ReadOnlySpan<byte> value, int begin, ref Writer writer)
    {
        int slotCount = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(SlotsMin, source.Length / BlockBytes));
        int shift = 32 - BitOperations.Log2((uint)slotCount);
        int[] rented = ArrayPool<int>.Shared.Rent(slotCount);
        Span<int> slots = rented.AsSpan(0, slotCount);
        Index(source, slots, shift);

        int pending = begin;
        int at = begin;
        uint hash = HashOf(value.Slice(at, BlockBytes));
        while (!writer.IsFull)
        {
            int found = slots[SlotOf(hash, shift)] - 1;
            if (found >= 0 && source.Slice(found, BlockBytes).SequenceEqual(value.Slice(at, BlockBytes)))
            {
                int back = CommonSuffixLength(source[..found], value[pending..at]);
                int length = BlockBytes + source[(found + BlockBytes)..].CommonPrefixLength(value[(at + BlockBytes)..]);
                writer.Insert(value[pending..(at - back)]);
                writer.Copy(found - back, back + length);
                at += length;
                pending = at;
                if (at + BlockBytes > value.Length)
                {
                    break;
                }

                hash = HashOf(value.Slice(at, BlockBytes));
                continue;
            }

            if (at + BlockBytes >= value.Length)
            {
                break;
            }

            hash = Roll(hash, value[at], value[at + BlockBytes]);
            at++;
        }

        writer.Insert(value[pending..]);
        ArrayPool<int>.Shared.Return(rented);
    }

    /// <summary>Of blocks that share a slot the first is kept: of a long run that is the one that grows furthest.</summary>
    private static void Index(ReadOnlySpan<byte> source, Span<int> slots, int shift)
    {
        slots.Clear();
        for (int at = 0; at + BlockBytes <= source.Length; at += BlockBytes)
        {
            ref int slot = ref slots[SlotOf(HashOf(source.Slice(at, BlockBytes)), shift)];
            if (slot == 0)
            {
                slot = at + 1;
            }
        }
    }

    private static int SlotOf(uint hash, int shift) => (int)((hash * Multiplier) >> shift);

    private static uint HashOf(ReadOnlySpan<byte> block)
    {
        uint hash = 0;
        foreach (byte b in block)
        {
            hash = unchecked((hash * Base) + b + 1);
        }

        return hash;
    }

    private static uint Roll(uint hash, byte leaves, byte enters) =>
        unchecked((hash * Base) + enters + 1 - ((leaves + 1u) * Leaving));

    private static uint Power(uint number, int exponent)
    {
        uint result = 1;
        for (int i = 0; i < exponent; i++)
        {
            result = unchecked(result * number);
        }

        return result;
    }

    private static int CommonSuffixLength(ReadOnlySpan<byte> a, ReadOnlySpan<byte> b)
    {
        const int Step = 64;
        int most = Math.Min(a.Length, b.Length);
        int length = 0;
        while (length + Step <= most && a.Slice(a.Length - length - Step, Step).SequenceEqual(b.Slice(b.Length - length - Step, Step)))
        {
            length += Step;
        }

        while (length < most && a[^(length + 1)] == b[^(length + 1)])
        {
            length++;
        }

        return length;
    }

    private static bool TryReadNumber(ref ReadOnlySpan<byte> rest, out uint number)
    {
        number = 0;
        for (int i = 0; i < NumberBytesMax && i < rest.Length; i++)
        {
            byte b = rest[i];
            number |= (uint)(b & 0x7F) << (7 * i);
            if (b < 0x80)
            {
                bool isShortest = b != 0 || i == 0;
                bool fits = i < NumberBytesMax - 1 || b < 0x10;
                rest = rest[(i + 1)..];
                return isShortest && fits;
            }
        }

        return false;
    }

    /// <summary>Writes instructions, and joins copies that continue one another. Once it is full it takes nothing more.</summary>
    private ref struct Writer(Span<byte> room)
    {
        private readonly Span<byte> _room = room;
        private int _position;
        private int _end;
        private int _copyFrom;
        private int _copyLength;

        /// <summary>Whether something did not fit.</summary>
        public bool IsFull { get; private set; }

        /// <summary>All that is written, with the last copy. False when it did not fit.</summary>
        public bool TryEnd(out ReadOnlySpan<byte> written)
        {
            Flush();
            written = _room[.._position];
            return !IsFull;
        }

        public void Copy(int from, int length)
        {
            if (length == 0)
            {
                return;
            }

            if (_copyLength > 0 && _copyFrom + _copyLength == from)
            {
                _copyLength += length;
                return;
            }

            Flush();
            _copyFrom = from;
            _copyLength = length;
        }

        public void Insert(ReadOnlySpan<byte> bytes)
        {
            if (bytes.IsEmpty)
            {
                return;
            }

            Flush();
            WriteNumber((uint)bytes.Length << 1);
            IsFull |= !bytes.TryCopyTo(_room[_position..]);
            _position += IsFull ? 0 : bytes.Length;
        }

        private void Flush()
        {
            if (_copyLength > 0)
            {
                int distance = _copyFrom - _end;
                WriteNumber(((uint)_copyLength << 1) | 1);
                WriteNumber((uint)((distance << 1) ^ (distance >> 31)));
                _end = _copyFrom + _copyLength;
                _copyLength = 0;
            }
        }

        private void WriteNumber(uint number)
        {
            for (; number >= 0x80 && _position < _room.Length; number >>= 7)
            {
                _room[_position++] = (byte)(number | 0x80);
            }

            IsFull |= _position == _room.Length;
            if (!IsFull)
            {
                _room[_position++] = (byte)number;
            }
        }
    }
}
