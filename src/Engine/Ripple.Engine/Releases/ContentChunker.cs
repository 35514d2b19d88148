using Ripple.Engine.Core;

namespace Ripple.Engine.Releases;

/// <summary>
/// Content-defined chunking: an edit moves only the cuts next to it. A gear hash rolls over the last 64 bytes, and a cut falls where its
/// top bits are zero: 15 bits before 8 KiB and 11 after, which keeps most chunks near 8 KiB. No cut falls before 2 KiB, and one always
/// falls at 64 KiB. Every number here is part of every value's digest: changing one changes all digests.
/// </summary>
internal static class ContentChunker
{
    /// <summary>The shortest chunk other than the last, in bytes.</summary>
    public const int ChunkBytesMin = 2 * 1024;

    /// <summary>The length from which cuts become more likely, in bytes.</summary>
    public const int ChunkBytesNormal = 8 * 1024;

    /// <summary>The longest chunk, in bytes.</summary>
    public const int ChunkBytesMax = 64 * 1024;

    private const int StrictShift = 64 - 15;
    private const int EasyShift = 64 - 11;

    // "Ripple/1" in ASCII.
    private const ulong GearSeed = 0x526970706C652F31;
    private static readonly ulong[] Gear = MakeGear();

    /// <summary>
    /// The length of the first chunk of <paramref name="rest"/>; all of it when it contains no cut; 0 for an empty span. Repeating the call
    /// on the remainder cuts the whole value.
    /// </summary>
    public static int NextLength(ReadOnlySpan<byte> rest)
    {
        if (rest.Length <= ChunkBytesMin)
        {
            return rest.Length;
        }

        int end = Math.Min(rest.Length, ChunkBytesMax);
        int normal = Math.Min(end, ChunkBytesNormal);
        ulong[] gear = Gear;
        ulong hash = 0;
        int i = ChunkBytesMin;
        for (; i < normal; i++)
        {
            hash = (hash << 1) + gear[rest[i]];
            if (hash >> StrictShift == 0)
            {
                return i + 1;
            }
        }

        for (; i < end; i++)
        {
            hash = (hash << 1) + gear[rest[i]];
            if (hash >> EasyShift == 0)
            {
                return i + 1;
            }
        }

        return end;
    }

    /// <summary>All chunks in order, as (offset, length); they cover the value without gaps. An empty value has one empty chunk.</summary>
    public static List<(int Offset, int Length)> Cut(ReadOnlySpan<byte> value)
    {
        var chunks = new List<(int Offset, int Length)>((value.Length / ChunkBytesNormal) + 1);
        int offset = 0;
        do
        {
            int length = NextLength(value[offset..]);
            chunks.Add((offset, length));
            offset += length;
        }
        while (offset < value.Length);
        return chunks;
    }

    private static ulong[] MakeGear()
    {
        ulong[] gear = new ulong[256];
        ulong state = GearSeed;
        for (int i = 0; i < gear.Length; i++)
        {
            gear[i] = DeterministicRandom.SplitMix(ref state);
        }

        return gear;
    }
}
