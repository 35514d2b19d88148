using System.Numerics;
using Ripple.Engine.Core;
using Ripple.Engine.Matching;

namespace Ripple.Engine.Tests.Matching;

public sealed class SetBitsTests
{
    [Fact]
    public void Every_bit_that_is_set_is_written_once_and_in_order()
    {
        var random = new DeterministicRandom(1);
        int[] written = new int[64 + SetBits.Slack];
        for (int i = 0; i < 2_000; i++)
        {
            ulong bits = i switch { 0 => 0, 1 => ulong.MaxValue, < 66 => 1UL << (i - 2), _ => Draw(random, i % 7) };
            int[] expected = [.. Enumerable.Range(0, 64).Where(b => ((bits >> b) & 1) != 0).Select(b => 128 + b)];

            SetBits.Write(ref written[0], bits, 128, SetBits.ByteOfBit) = -1;
            Assert.Equal([.. expected, -1], written.AsSpan(0, BitOperations.PopCount(bits) + 1).ToArray());

            SetBits.WriteSparse(ref written[0], bits, 128) = -1;
            Assert.Equal([.. expected, -1], written.AsSpan(0, BitOperations.PopCount(bits) + 1).ToArray());
        }
    }

    /// <summary>The more thinnings, the fewer bits.</summary>
    private static ulong Draw(DeterministicRandom random, int thinnings)
    {
        ulong bits = random.NextUInt64();
        for (int i = 0; i < thinnings; i++)
        {
            bits &= random.NextUInt64();
        }

        return bits;
    }
}
