using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Ripple.Engine.Matching;

/// <summary>
/// Writes the numbers of the bits that are set in a word. Without a branch for each bit: which words have how many is chance, and a branch
/// that was guessed wrong costs more than some numbers that are written without being there.
/// </summary>
internal static class SetBits
{
    /// <summary>What may be written behind the last number.</summary>
    public const int Slack = 16;

    private const int FewCount = 4;

    /// <summary>Takes part in every call; kept in a register by a loop of calls.</summary>
    public static Vector512<byte> ByteOfBit
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Vector512.Create(
            0UL,
            0x0101_0101_0101_0101,
            0x0202_0202_0202_0202,
            0x0303_0303_0303_0303,
            0x0404_0404_0404_0404,
            0x0505_0505_0505_0505,
            0x0606_0606_0606_0606,
            0x0707_0707_0707_0707).AsByte();
    }

    /// <summary>Writes the numbers in ascending order; gives the place behind the last.</summary>
    /// <param name="target">Where to; there is room for all, and <see cref="Slack"/>.</param>
    /// <param name="bits">The word.</param>
    /// <param name="first">The number of its lowest bit.</param>
    /// <param name="byteOfBit"><see cref="ByteOfBit"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref int Write(ref int target, ulong bits, int first, Vector512<byte> byteOfBit)
    {
        int count = BitOperations.PopCount(bits);
        if (Avx512Vbmi2.IsSupported && count <= Vector512<int>.Count)
        {
            // A lane for each bit, which tells its own number; those of bits that are not set are squeezed out.
            Vector512<byte> bitOfByte = Vector512.Create(0x8040_2010_0804_0201).AsByte();
            Vector512<byte> spread = Avx512BW.Shuffle(Vector512.Create(bits).AsByte(), byteOfBit) & bitOfByte;
            Vector512<byte> numbers = Avx512Vbmi2.Compress(
                Vector512<byte>.Zero, Vector512.Equals(spread, bitOfByte), Vector512<byte>.Indices);
            Vector512<int> wide = Avx512F.ConvertToVector512Int32(numbers.GetLower().GetLower()) + Vector512.Create(first);
            wide.StoreUnsafe(ref target);
        }
        else
        {
            WriteFew(ref target, bits, first);
        }

        return ref Unsafe.Add(ref target, count);
    }

    /// <summary>The same for words of which most have no bit or one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref int WriteSparse(ref int target, ulong bits, int first)
    {
        int count = BitOperations.PopCount(bits);
        target = first + BitOperations.TrailingZeroCount(bits);
        bits &= bits - 1;
        for (int at = 1; bits != 0; bits &= bits - 1, at++)
        {
            Unsafe.Add(ref target, at) = first + BitOperations.TrailingZeroCount(bits);
        }

        return ref Unsafe.Add(ref target, count);
    }

    /// <summary>Four at a time: most words have no more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteFew(ref int target, ulong bits, int first)
    {
        do
        {
            target = first + BitOperations.TrailingZeroCount(bits);
            bits &= bits - 1;
            Unsafe.Add(ref target, 1) = first + BitOperations.TrailingZeroCount(bits);
            bits &= bits - 1;
            Unsafe.Add(ref target, 2) = first + BitOperations.TrailingZeroCount(bits);
            bits &= bits - 1;
            Unsafe.Add(ref target, 3) = first + BitOperations.TrailingZeroCount(bits);
            bits &= bits - 1;
            target = ref Unsafe.Add(ref target, FewCount);
        }
        while (bits != 0);
    }
}
