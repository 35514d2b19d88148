using Ripple.Engine.Streams;

namespace Ripple.Engine.Tests.Streams;

/// <summary>A train that the window or the pace ended is not full, and yet more for the next one is there already.</summary>
public sealed class StreamGatherTests
{
    [Fact]
    public void What_a_full_window_held_back_leaves_at_once_when_the_floor_moves()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network, new StreamOptions { WindowPackets = 16 });
        host.Join(2 * FanOutFeed.GatherTargetsMin);
        StreamWindowTests.Queue(host, 40);
        network.Run(1_000);
        Assert.Equal(16UL, host.Sender.Highest);

        // The train was not full, but more for the next one was there already.
        host.Sender.OnAggregate(host.View.Number, 16);
        network.Run(1_000);
        Assert.Equal(32UL, host.Sender.Highest);
    }

    [Fact]
    public void What_the_pace_held_back_leaves_as_soon_as_the_pace_allows()
    {
        var network = new StreamNetwork();
        const long bytesPerSecond = 100_000_000;
        using var host = new StreamHost(
            network,
            new StreamOptions
            {
                PaceBurstBytes = 14_000,
                PaceStartBytesPerSecond = bytesPerSecond,
                PaceMaxBytesPerSecond = bytesPerSecond,
            });
        host.Join(2 * FanOutFeed.GatherTargetsMin);
        StreamWindowTests.Queue(host, 40);
        network.Run(1_000);
        Assert.Equal(10UL, host.Sender.Highest);
        // Half of a burst is there after 70 us and what the last packet overdrew; a train of ten packets would wait for more than a ms.
        network.Run(100_000);
        Assert.InRange(host.Sender.Highest, 15UL, 20UL);
    }

    [Fact]
    public void Trains_that_use_up_the_pace_and_leave_nothing_behind_do_not_raise_it()
    {
        const long bytesPerSecond = 10_000_000;
        const int packets = 10;
        var network = new StreamNetwork();
        using var host = new StreamHost(
            network, new StreamOptions { PaceBurstBytes = packets * 1_400, PaceStartBytesPerSecond = bytesPerSecond });
        host.Join(2 * FanOutFeed.GatherTargetsMin);
        for (int i = 0; i < 200; i++)
        {
            StreamWindowTests.Queue(host, packets);
            network.Run(10_000_000);
            host.Aggregate();
        }

        Assert.Equal(200UL * packets, host.Sender.Highest);
        Assert.Equal(bytesPerSecond, host.Sender.PaceBytesPerSecond);
    }
}
