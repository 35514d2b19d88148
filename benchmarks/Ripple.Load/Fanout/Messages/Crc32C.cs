using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Ripple.Load.Fanout.Messages;

/// <summary>The checksum that every message carries over itself, eight bytes a step. May be taken part by part.</summary>
internal static class Crc32C
{
    public const uint Start = uint.MaxValue;

    /// <summary>What comes out over bytes that end with their own checksum.</summary>
    public const uint Intact = 0;

    public static uint Of(ReadOnlySpan<byte> bytes) => Append(Start, bytes);

    public static uint Append(uint crc, ReadOnlySpan<byte> bytes)
    {
        ref byte first = ref MemoryMarshal.GetReference(bytes);
        int i = 0;
        for (; i <= bytes.Length - sizeof(ulong); i += sizeof(ulong))
        {
            crc = BitOperations.Crc32C(crc, Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref first, i)));
        }

        for (; i < bytes.Length; i++)
        {
            crc = BitOperations.Crc32C(crc, Unsafe.Add(ref first, i));
        }

        return crc;
    }
}
