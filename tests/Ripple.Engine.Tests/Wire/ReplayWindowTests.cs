using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Wire;

public sealed class ReplayWindowTests
{
    [Fact]
    public void A_number_is_fresh_once()
    {
        var window = new ReplayWindow();
        Assert.False(window.IsFresh(0));
        Assert.True(window.IsFresh(1));
        window.Mark(1);
        Assert.False(window.IsFresh(1));
        Assert.True(window.IsFresh(2));
    }

    [Fact]
    public void The_window_reaches_back_as_far_as_a_senders_does()
    {
        Assert.Equal(ReplayWindow.Size, StreamOptions.Default.WindowPackets);
        var window = new ReplayWindow();
        window.Mark(5_000);
        Assert.True(window.IsFresh(5_000 - 2_047));
        Assert.False(window.IsFresh(5_000 - 2_048));
        window.Mark(5_000 - 2_047);
        Assert.False(window.IsFresh(5_000 - 2_047));
    }

    [Fact]
    public void A_skipped_number_is_fresh_although_its_bit_was_used_a_window_ago()
    {
        var window = new ReplayWindow();
        for (ulong n = 1; n <= ReplayWindow.Size; n++)
        {
            window.Mark(n);
        }

        window.Mark(ReplayWindow.Size + 10);
        Assert.True(window.IsFresh(ReplayWindow.Size + 5));
        Assert.False(window.IsFresh(11));
    }

    [Theory]
    [InlineData(1UL)]
    [InlineData(2UL)]
    [InlineData(3UL)]
    [InlineData(4UL)]
    public void The_window_agrees_with_a_set(ulong seed)
    {
        var random = new DeterministicRandom(seed);
        var window = new ReplayWindow();
        var seen = new HashSet<ulong>();
        ulong highest = 0;
        ulong centre = 1;
        for (int i = 0; i < 20_000; i++)
        {
            centre += (ulong)random.NextInt32(random.NextBool(0.01) ? 3_000 : 3);
            ulong number = (ulong)Math.Max(0, (long)centre - random.NextInt32(1_300));
            bool expected = number != 0 && !seen.Contains(number) && (number > highest || highest - number < ReplayWindow.Size);
            Assert.Equal(expected, window.IsFresh(number));
            if (expected)
            {
                window.Mark(number);
                seen.Add(number);
                highest = Math.Max(highest, number);
            }
        }
    }
}
