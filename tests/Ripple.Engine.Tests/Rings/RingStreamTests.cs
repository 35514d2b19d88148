using Ripple.Engine.Rings;

namespace Ripple.Engine.Tests.Rings;

/// <summary>
/// Rounds for streams alone: they free room in a window, nobody waits for them, and each costs the members time to receive.
/// </summary>
public sealed class RingStreamTests
{
    private const int MemberCount = 5;
    private readonly RingNet _net = new(MemberCount);
    private ulong _sent;

    public RingStreamTests()
    {
        foreach (RingNet.Node node in _net.Members.Values)
        {
            node.Has.Streams.Add(new StreamProgress(RingNet.Origin, 0, 0));
        }

        _net.Install();
        // Settled, and in the middle of an idle second.
        _net.RunMs(2_500);
    }

    [Fact]
    public void A_few_packets_are_proven_after_the_pause()
    {
        long before = Rounds;
        Send(3);
        _net.RunMs(9);
        Assert.Equal(before, Rounds);

        _net.RunMs(4);
        Assert.Equal(before + 1, Rounds);
        Assert.Equal(_sent, _net.Sender.Streams[RingNet.Origin]);
    }

    [Fact]
    public void Many_packets_do_not_wait_for_the_pause()
    {
        Send((ulong)_net.Options.RoundPacketsMax);
        _net.RunMs(2);
        Assert.Equal(_sent, _net.Sender.Streams[RingNet.Origin]);
    }

    [Fact]
    public void Packets_without_end_cost_a_round_a_pause()
    {
        long before = Rounds;
        for (int i = 0; i < 10_000; i++)
        {
            Send(1);
            _net.Run(100_000);
        }

        // A second of packets, 10 to a millisecond: a round each 10 ms and what it takes.
        Assert.InRange(Rounds - before, 80, 100);
        Assert.True(_sent - _net.Sender.Streams[RingNet.Origin] < 300, "the window of a sender would fill");
    }

    [Fact]
    public void A_fast_stream_gets_a_round_each_time_half_a_window_has_come()
    {
        ulong unprovenMax = 0;
        for (int i = 0; i < 10_000; i++)
        {
            Send(40);
            _net.Run(100_000);
            unprovenMax = Math.Max(unprovenMax, _sent - _net.Sender.Streams.GetValueOrDefault(RingNet.Origin));
        }

        Assert.InRange(unprovenMax, 1ul, 2_048ul);
    }

    [Fact]
    public void A_level_that_changes_does_not_wait_for_streams()
    {
        Send(1);
        foreach (RingNet.Node node in _net.Members.Values)
        {
            node.Has.Set(7, 3, 3, 3);
        }

        _net.Leader.Ring.OnChanged();
        _net.RunMs(3);
        Assert.Equal(3ul, _net.Sender.Of(MemberCount, 7).Applied);
    }

    private long Rounds => _net.Leader.Ring.Counters.Rounds;

    /// <summary>Packets that all members have at once.</summary>
    private void Send(ulong packets)
    {
        _sent += packets;
        // What is told comes in a turn, at its time.
        _net.Core.DoWork(_net.NowNs);
        foreach (RingNet.Node node in _net.Members.Values)
        {
            node.Has.Streams[0] = new StreamProgress(RingNet.Origin, _sent, _sent);
            node.Ring.OnStreamProgress(packets);
        }
    }
}
