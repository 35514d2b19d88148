using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

public sealed class DeterministicRandomTests
{
    [Fact]
    public void SplitMix_gives_the_published_sequence()
    {
        ulong state = 1234567;
        ulong[] values = [.. Enumerable.Range(0, 5).Select(_ => DeterministicRandom.SplitMix(ref state))];
        Assert.Equal([6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821], values);
    }

    [Theory]
    [InlineData(0UL)]
    [InlineData(42UL)]
    [InlineData(ulong.MaxValue)]
    public void A_seed_gives_the_sequence_of_the_algorithm_as_published(ulong seed)
    {
        // Written from the definition, with plain shifts, so that a change of the real one is noticed.
        ulong mixer = seed;
        ulong[] s = [.. Enumerable.Range(0, 4).Select(_ => DeterministicRandom.SplitMix(ref mixer))];
        var random = new DeterministicRandom(seed);
        for (int i = 0; i < 1_000; i++)
        {
            ulong product = s[1] * 5;
            ulong expected = ((product << 7) | (product >> 57)) * 9;
            ulong t = s[1] << 17;
            s[2] ^= s[0];
            s[3] ^= s[1];
            s[1] ^= s[2];
            s[0] ^= s[3];
            s[2] ^= t;
            s[3] = (s[3] << 45) | (s[3] >> 19);
            Assert.Equal(expected, random.NextUInt64());
        }
    }

    [Fact]
    public void The_first_values_of_seed_1_never_change()
    {
        var random = new DeterministicRandom(1);
        Assert.Equal(
            ["B3F2AF6D0FC710C5", "853B559647364CEA", "92F89756082A4514", "642E1C7BC266A3A7"],
            Enumerable.Range(0, 4).Select(_ => random.NextUInt64().ToString("X16", null)));
    }

    [Fact]
    public void Small_values_come_equally_often()
    {
        var random = new DeterministicRandom(7);
        int[] counts = new int[10];
        for (int i = 0; i < 100_000; i++)
        {
            counts[random.NextInt32(10)]++;
        }

        // Standard deviation 95: five of them.
        Assert.All(counts, count => Assert.InRange(count, 10_000 - 475, 10_000 + 475));
    }

    [Fact]
    public void Fractions_and_chances_are_in_proportion()
    {
        var random = new DeterministicRandom(8);
        double sum = 0;
        int hits = 0;
        for (int i = 0; i < 100_000; i++)
        {
            double value = random.NextDouble();
            Assert.InRange(value, 0, 1 - double.Epsilon);
            sum += value;
            hits += random.NextBool(0.25) ? 1 : 0;
            Assert.False(random.NextBool(0));
            Assert.True(random.NextBool(1));
        }

        Assert.InRange(sum / 100_000, 0.495, 0.505);
        Assert.InRange(hits, 24_300, 25_700);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(0)]
    [InlineData(-5)]
    public void A_range_without_choice_gives_zero(long exclusiveMax) => Assert.Equal(0, new DeterministicRandom(1).NextInt64(exclusiveMax));

    [Fact]
    public void Forks_differ_by_purpose_and_repeat_by_seed()
    {
        ulong First(ulong seed, ulong purpose) => new DeterministicRandom(seed).Fork(purpose).NextUInt64();
        Assert.Equal(First(1, 2), First(1, 2));
        Assert.NotEqual(First(1, 2), First(1, 3));
        Assert.NotEqual(First(1, 2), First(2, 2));
    }
}
