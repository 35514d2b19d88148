using Ripple.Engine.Regions;
using Ripple.Gms.Sessions;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>A member that neither its ring nor the host hears is removed sooner than by its silence alone.</summary>
public sealed class AccusedMemberTests
{
    private const int Members = 8;
    private const int Silent = 5;
    private const long StepNs = 50 * HostRig.MillisecondNs;

    [Fact]
    public void Who_is_silent_in_two_rounds_and_unheard_for_two_heartbeats_is_removed()
    {
        Setting setting = new();
        setting.Run(1_500);
        setting.Accuse();
        setting.Accuse();
        setting.Run(500);
        Assert.Equal(Members, setting.Rig.Counters.Members);

        // 2.25 heartbeats, a tick, and the time of the accusation is not over.
        setting.Accuse();
        setting.Run(550);
        GmsCounters counters = setting.Rig.Counters;
        Assert.Equal((Members - 1, 1L, 1L), (counters.Members, counters.Failures, counters.FailuresByRing));
        Assert.Contains("as 'node-1' told", setting.Nodes[Silent].ClosedReason, StringComparison.Ordinal);
    }

    [Fact]
    public void Silence_alone_is_believed_after_four_heartbeats_only()
    {
        Setting setting = new();
        setting.Run(3_900);
        Assert.Equal(Members, setting.Rig.Counters.Members);

        setting.Run(500);
        Assert.Equal((Members - 1, 0L), (setting.Rig.Counters.Members, setting.Rig.Counters.FailuresByRing));
    }

    [Fact]
    public void An_accusation_alone_removes_nobody()
    {
        Setting setting = new() { IsHeard = true };
        for (int i = 0; i < 40; i++)
        {
            setting.Accuse();
            setting.Run(150);
        }

        Assert.Equal((Members, 0L), (setting.Rig.Counters.Members, setting.Rig.Counters.Failures));
    }

    [Fact]
    public void One_round_is_no_accusation_and_neither_are_two_that_do_not_follow_each_other()
    {
        Setting setting = new();
        setting.Run(1_800);
        setting.Accuse();
        setting.Tell(silent: null);
        setting.Accuse();
        setting.Run(1_500);
        Assert.Equal(Members, setting.Rig.Counters.Members);
    }

    [Fact]
    public void A_frame_of_its_own_refutes_what_its_ring_says()
    {
        Setting setting = new();
        setting.Run(1_900);
        setting.Accuse();
        setting.Accuse();
        setting.Nodes[Silent].Heartbeat();
        setting.Run(2_000);
        Assert.Equal(Members, setting.Rig.Counters.Members);
    }

    [Fact]
    public void Who_is_led_in_the_place_of_is_accused_by_that()
    {
        Setting setting = new() { Quiet = 0 };
        setting.Run(1_800);
        for (int i = 0; i < 3; i++)
        {
            setting.Tell(silent: null, rank: 1);
            setting.Run(250);
        }

        Assert.Equal(1, setting.Rig.Counters.FailuresByRing);
    }

    [Fact]
    public void A_host_that_misses_a_quarter_of_its_members_does_not_believe_their_rings()
    {
        Setting setting = new() { QuietCount = 3 };
        setting.Run(1_900);
        for (int i = 0; i < 8; i++)
        {
            setting.Accuse();
            setting.Run(200);
        }

        Assert.Equal(Members, setting.Rig.Counters.Members);
    }

    [Fact]
    public void A_host_that_was_late_itself_or_misses_many_doubts_itself()
    {
        const long TickNs = 250;
        var health = new LocalHealth(TickNs, doubtNs: 4_000);
        Assert.True(health.Look(1_000, overdue: 0, Members));
        Assert.True(health.Look(1_500, overdue: 1, members: 2));
        Assert.True(health.Look(1_750, overdue: 2, Members));
        Assert.False(health.Look(2_000, overdue: 3, Members));

        // Two ticks were left out, and a little.
        Assert.True(health.Look(2_500, overdue: 0, Members));
        Assert.False(health.Look(3_001, overdue: 0, Members));
        for (long nowNs = 3_251; nowNs < 7_000; nowNs += TickNs)
        {
            Assert.False(health.Look(nowNs, overdue: 0, Members));
        }

        Assert.True(health.Look(7_251, overdue: 0, Members));
    }

    /// <summary>Members of one part that send heartbeats, but for the quiet ones.</summary>
    private sealed class Setting
    {
        private readonly RegionView _view;
        private long _sinceHeartbeatsNs;

        public Setting()
        {
            Nodes = [.. Enumerable.Range(1, Members).Select(i => Rig.Join(i))];
            Rig.Run(100 * HostRig.MillisecondNs);
            _view = Nodes[^1].Accepted!.View.Cut(HostLimits.Default.PartMembers);
            foreach (NodeRig node in Nodes)
            {
                node.Heartbeat();
            }
        }

        public HostRig Rig { get; } = new();

        public NodeRig[] Nodes { get; }

        /// <summary>The first member that sends no heartbeats.</summary>
        public int Quiet { get; init; } = Silent;

        public int QuietCount { get; init; } = 1;

        /// <summary>Whether all send heartbeats.</summary>
        public bool IsHeard { get; init; }

        public void Run(long ms)
        {
            for (long leftNs = ms * HostRig.MillisecondNs; leftNs > 0; leftNs -= StepNs)
            {
                Rig.Run(StepNs);
                _sinceHeartbeatsNs += StepNs;
                if (_sinceHeartbeatsNs < HostRig.SecondNs / 2)
                {
                    continue;
                }

                _sinceHeartbeatsNs = 0;
                for (int i = 0; i < Members; i++)
                {
                    if (IsHeard || i < Quiet || i >= Quiet + QuietCount)
                    {
                        Nodes[i].Heartbeat();
                    }
                }
            }
        }

        /// <summary>The leader's ring finds the quiet member silent.</summary>
        public void Accuse() => Tell((ushort)Silent);

        public void Tell(ushort? silent, int rank = 0)
        {
            var round = new RingRound(_view, _view.PartAt(0), (ulong)rank);
            Nodes[rank].SendAggregate(silent is { } position ? round.Silent(position) : round);
            Rig.Run(5 * HostRig.MillisecondNs);
        }
    }
}
