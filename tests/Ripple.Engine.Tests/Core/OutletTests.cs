using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

public sealed class OutletTests
{
    [Fact]
    public void Items_come_out_in_order_and_a_full_outlet_refuses()
    {
        var outlet = new Outlet<int>(3);
        Assert.Equal(4, outlet.Capacity);
        for (int round = 0; round < 5; round++)
        {
            for (int i = 0; i < 4; i++)
            {
                Assert.True(outlet.TryPost(i));
            }

            Assert.False(outlet.TryPost(99));
            Assert.Equal(4, outlet.Count);
            for (int i = 0; i < 4; i++)
            {
                Assert.True(outlet.TryTake(out int item));
                Assert.Equal(i, item);
            }

            Assert.False(outlet.TryTake(out _));
        }
    }

    [Fact]
    public void The_consumer_is_told_when_the_first_item_arrives_and_not_for_each()
    {
        int told = 0;
        var outlet = new Outlet<string>(4, () => told++);
        outlet.TryPost("a");
        outlet.TryPost("b");
        Assert.Equal(1, told);
        outlet.TryTake(out _);
        outlet.TryPost("c");
        Assert.Equal(1, told);
        outlet.TryTake(out _);
        outlet.TryTake(out _);
        outlet.TryPost("d");
        Assert.Equal(2, told);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(1_024)]
    public async Task A_consumer_that_sleeps_when_empty_misses_nothing(int capacity)
    {
        int count = capacity < 10 ? 20_000 : 200_000;
        using var wake = new SemaphoreSlim(0);
        var outlet = new Outlet<long>(capacity, () => wake.Release());
        Task<long> consumer = Task.Run(async () =>
        {
            long expected = 0;
            while (expected < count)
            {
                while (outlet.TryTake(out long item))
                {
                    Assert.Equal(expected++, item);
                }

                if (expected < count)
                {
                    Assert.True(await wake.WaitAsync(TimeSpan.FromSeconds(60)), $"Nobody said that item {expected} had come.");
                }
            }

            return expected;
        });

        for (long i = 0; i < count && !consumer.IsCompleted;)
        {
            if (outlet.TryPost(i))
            {
                i++;
            }
            else
            {
                Thread.Yield();
            }
        }

        Assert.Equal(count, await consumer);
        Assert.Equal(0, outlet.Count);
    }
}
