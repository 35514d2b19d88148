using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>A member that stands still is given up alone: the window of the others stays for their repairs.</summary>
public sealed class StreamLaggardTests
{
    private const int WindowPackets = 16;
    private readonly HostRig _rig = new(new GmsOptions
    {
        Limits = new HostLimits { Stream = StreamOptions.Default with { WindowPackets = WindowPackets } },
    });

    private readonly NodeRig _leader;
    private readonly NodeRig _healthy;
    private readonly NodeRig _stuck;

    public StreamLaggardTests()
    {
        _leader = _rig.Join(1);
        _healthy = _rig.Join(2);
        _stuck = _rig.Join(3);
        for (int i = 0; i < WindowPackets + 1; i++)
        {
            _rig.Publish();
        }

        Assert.Equal(WindowPackets, _rig.StreamCounters.Packets);
    }

    [Fact]
    public void One_member_stuck_and_another_with_a_recent_hole_which_the_stream_repairs()
    {
        Tell(contiguous: 0, position: 2, ms: 1_100);
        Assert.Equal(1, _rig.StreamCounters.Stalls);
        long skips = _rig.StreamCounters.SkipsToOne;
        Assert.InRange(skips, 1, 2);
        Assert.Equal(WindowPackets + 1ul, Beacons(_stuck)[^1].FirstAvailable);
        Assert.All(Beacons(_healthy).Concat(Beacons(_leader)), b => Assert.Equal(1ul, b.FirstAvailable));

        // It has followed; who has least now lacks one of the newest packets.
        Tell(contiguous: 12, position: 1, ms: 100);
        Assert.Equal(WindowPackets + 1, _rig.StreamCounters.Packets);
        int copies = Copies(_healthy, 13);
        _healthy.AskAgain(13);
        _rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(copies + 1, Copies(_healthy, 13));
        Assert.All(Beacons(_healthy), b => Assert.InRange(b.FirstAvailable, 1ul, 13ul));
        Assert.Equal(skips, _rig.StreamCounters.SkipsToOne);
    }

    [Fact]
    public void Others_that_stand_still_too_are_told_one_after_the_other_by_the_next_rounds()
    {
        Tell(contiguous: 0, position: 2, ms: 1_100);
        Tell(contiguous: 5, position: 1, ms: 100);
        Assert.Equal(1, _rig.StreamCounters.Stalls);
        Assert.True(Beacons(_healthy)[^1].FirstAvailable > WindowPackets);
    }

    [Fact]
    public void Who_does_not_follow_costs_the_others_their_window_a_second_later()
    {
        Tell(contiguous: 0, position: 2, ms: 1_900);
        Assert.Equal((1, WindowPackets), (_rig.StreamCounters.Stalls, _rig.StreamCounters.Packets));
        Tell(contiguous: 0, position: 2, ms: 300);
        Assert.Equal(WindowPackets + 1, _rig.StreamCounters.Packets);

        // Next time it is not waited for twice.
        for (int i = 0; i < WindowPackets; i++)
        {
            _rig.Publish();
        }

        Tell(contiguous: 0, position: 2, ms: 1_100);
        Assert.Equal((2 * WindowPackets) + 1, _rig.StreamCounters.Packets);
    }

    [Fact]
    public void Without_a_round_that_names_somebody_the_window_is_given_up_as_a_whole()
    {
        Tell(contiguous: 0, position: 2, ms: 100);
        _rig.RunAlive(1_500 * HostRig.MillisecondNs, _leader, _healthy, _stuck);
        Assert.Equal(0, _rig.StreamCounters.SkipsToOne);
        Assert.Equal(WindowPackets + 1, _rig.StreamCounters.Packets);
    }

    private static int Copies(NodeRig node, ulong sequence) => node.Packets().Count(p =>
        StreamPosition.Peek(p.Frames, out StreamPosition position) == DecodeStatus.Ok && position.Sequence == sequence);

    private static List<StreamBeacon> Beacons(NodeRig node)
    {
        var beacons = new List<StreamBeacon>();
        foreach ((_, byte[] frames) in node.Packets())
        {
            var reader = new FrameReader(frames);
            while (reader.TryNext())
            {
                if (reader.Type == FrameType.Beacon)
                {
                    Assert.Equal(DecodeStatus.Ok, StreamBeacon.Read(reader.Payload, out StreamBeacon beacon));
                    beacons.Add(beacon);
                }
            }
        }

        return beacons;
    }

    /// <summary>The ring tells, every tenth of a second, who has least of the stream.</summary>
    private void Tell(ulong contiguous, ushort position, int ms)
    {
        for (int i = 0; i < ms; i += 100)
        {
            if (i % 500 == 0)
            {
                Array.ForEach([_leader, _healthy, _stuck], n => n.Heartbeat());
            }

            ulong highest = (ulong)_rig.StreamCounters.Packets;
            var round = new RingRound(_stuck.Accepted!.View);
            _leader.SendAggregate(round.Stream(_leader.Accepted!.HostIncarnation, contiguous, position, highest));
            _rig.Run(100 * HostRig.MillisecondNs);
        }
    }
}
