using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

/// <summary>Messages that have time go behind all others, and leave them room.</summary>
public sealed class StreamBulkTests
{
    private const uint Release = 1;
    private const uint Value = 2;
    private const int PacketBytes = 1_300;

    [Fact]
    public void What_has_time_goes_when_there_is_nothing_else()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        host.QueueBulk(Value, new byte[5 * PacketBytes]);
        host.QueueBulk(Value, new byte[5 * PacketBytes]);
        host.Queue(Release, new byte[100]);
        host.Send(Release, new byte[100]);
        network.Run(10_000_000);

        Assert.Equal([Release, Release, Value, Value], member.Messages.Select(m => m.Topic));
        Assert.Equal(10 * PacketBytes, host.Sender.Counters.BulkBytes);
    }

    [Fact]
    public void It_shares_no_packet_with_what_has_none()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        host.Join();
        host.QueueBulk(Value, new byte[100]);
        host.QueueBulk(Value, new byte[100]);
        host.Send(Release, new byte[100]);
        network.Run(10_000_000);

        Assert.Equal(2UL, host.Sender.Highest);
    }

    [Fact]
    public void It_gets_its_turns_between_releases_that_follow_each_other_closely()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        host.Join(2 * FanOutFeed.GatherTargetsMin);
        for (int i = 0; i < 8; i++)
        {
            host.QueueBulk(Value, new byte[PacketBytes]);
        }

        for (int i = 0; i < 8; i++)
        {
            host.Send(Release, new byte[100]);
            network.Run(FanOutFeed.GatherNsPerTarget);
        }

        Assert.Equal(8 * PacketBytes, host.Sender.Counters.BulkBytes);
    }

    [Fact]
    public void A_release_leaves_at_once_behind_it()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        host.Join(2 * FanOutFeed.GatherTargetsMin);
        host.QueueBulk(Value, new byte[100]);
        host.Sender.OnReady();
        network.Run(1_000);
        Assert.Equal(1UL, host.Sender.Highest);
        host.Send(Release, new byte[100]);
        network.Run(1_000);
        Assert.Equal(2UL, host.Sender.Highest);

        // Behind a release another one waits.
        host.Send(Release, new byte[100]);
        network.Run(1_000);
        Assert.Equal(2UL, host.Sender.Highest);
    }

    [Fact]
    public void It_takes_half_of_the_window_and_goes_on_when_the_floor_moves()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network, new StreamOptions { WindowPackets = 16 });
        StreamMember member = host.Join();
        for (int i = 0; i < 20; i++)
        {
            host.QueueBulk(Value, new byte[PacketBytes]);
        }

        host.Sender.OnReady();
        network.Run(10_000_000);
        Assert.Equal(9UL, host.Sender.Highest);
        Assert.Equal(0, host.Sender.Counters.WindowFull);

        // The other half is there for what has none.
        for (int i = 0; i < 8; i++)
        {
            host.Send(Release, new byte[PacketBytes]);
        }

        network.Run(10_000_000);
        Assert.Equal(16UL, host.Sender.Highest);
        for (int i = 0; i < 4; i++)
        {
            host.Aggregate();
            network.Run(10_000_000);
        }

        Assert.Equal((20, 8), (member.Messages.Count(m => m.Topic == Value), member.Messages.Count(m => m.Topic == Release)));
    }

    [Fact]
    public void It_takes_half_of_the_pace()
    {
        const int BytesPerSecond = 5_000_000;
        var network = new StreamNetwork();
        var options = new StreamOptions
        {
            PaceStartBytesPerSecond = BytesPerSecond,
            PaceMinBytesPerSecond = BytesPerSecond,
            PaceMaxBytesPerSecond = BytesPerSecond,
        };
        using var host = new StreamHost(network, options);
        StreamMember member = host.Join();
        for (int i = 0; i < 1_000; i++)
        {
            host.QueueBulk(Value, new byte[PacketBytes]);
        }

        host.Sender.OnReady();
        for (int ms = 0; ms < 200; ms++)
        {
            network.Run(1_000_000);
            host.Aggregate();
        }

        Assert.InRange(member.Messages.Count * (long)PacketBytes, BytesPerSecond / 2 / 5 * 8 / 10, BytesPerSecond / 2 / 5 * 13 / 10);
    }

    [Fact]
    public void A_message_of_several_packets_comes_whole_with_others_before_its_end()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        byte[] value = [.. Enumerable.Range(0, 60_000).Select(i => (byte)(i * 31))];
        host.QueueBulk(Value, value);
        host.Sender.OnReady();
        network.Run(10_000_000);
        host.Send(Release, new byte[WireLimits.FramesBytesMax]);
        network.Run(10_000_000);

        Assert.Equal(value, member.Messages.Single(m => m.Topic == Value).Message);
        Assert.Single(member.Messages, m => m.Topic == Release);
    }
}
