using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Gms.Regions;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>What administrators see of regions.</summary>
public sealed class RegionStatusTests
{
    private static readonly GmsOptions Options = new() { Limits = HostLimits.Default with { PartMembers = 4 } };

    [Fact]
    public void A_region_tells_who_it_is_of_and_who_is_in_its_view()
    {
        var rig = new HostRig(Options);
        NodeRig node = rig.Join(1);
        rig.Join(2);
        rig.Publish();
        rig.Run(50 * HostRig.MillisecondNs);

        RegionStatus status = rig.Region;
        Assert.Equal(RegionStatus.NameOf(node.Accepted!.View.RegionId), status.Name);
        Assert.Equal(RegionStatus.NameDigits, status.Name.Length);
        Assert.Equal(HostRig.Shop, status.Identity.Application);
        Assert.Equal((2, 0, 0), (status.MemberCount, status.EnteringCount, status.UnreachedCount));
        Assert.Null(status.Group);
        Assert.Equal((rig.StreamCounters.Packets, rig.StreamCounters.Repairs), (status.Packets, status.Repairs));
        Assert.True(status.Packets > 0 && status.PaceBytesPerSecond > 0);
    }

    [Fact]
    public void What_members_say_that_they_repaired_is_summed_by_part_and_region_and_does_not_overflow()
    {
        var rig = new HostRig(Options);
        NodeRig[] nodes = [.. Enumerable.Range(1, 8).Select(i => rig.Join(i))];
        // No ring tells a round here, so that each view is waited for.
        rig.Run(2_000 * HostRig.MillisecondNs);
        Assert.Equal(8, rig.Region.MemberCount);
        nodes[0].Send(new RepairReport(5, 1, 2));
        nodes[0].Send(new RepairReport(7, 1, 2));
        nodes[7].Send(new RepairReport(10, 0, 1));
        rig.Run(50 * HostRig.MillisecondNs);
        Assert.Equal(new MemberRepairs(17, 3), rig.Region.MemberRepairs);
        Assert.Equal([7L, 10L], rig.Region.Parts.Select(p => p.Repairs.Made));
        Array.ForEach(nodes, n => n.Send(new RepairReport(ulong.MaxValue, ulong.MaxValue, ulong.MaxValue)));
        rig.Run(50 * HostRig.MillisecondNs);
        Assert.Equal(8L << 48, rig.Region.MemberRepairs.Made);
    }

    [Fact]
    public void A_node_that_just_joined_is_entering_and_not_reached()
    {
        var rig = new HostRig(Options);
        rig.Join(1);
        NodeRig second = rig.Connect(2);
        second.Send(second.JoinMessage);
        rig.Deliver();
        Assert.Equal((1, 1, 0), (rig.Region.MemberCount, rig.Region.EnteringCount, rig.Region.UnreachedCount));
        rig.Run(50 * HostRig.MillisecondNs);
        Assert.Equal((2, 0, 0), (rig.Region.MemberCount, rig.Region.EnteringCount, rig.Region.UnreachedCount));
    }

    [Fact]
    public void A_part_without_a_round_has_no_leader()
    {
        var rig = new HostRig(Options);
        rig.Join(1);
        NodeRig last = rig.Join(2);

        PartStatus part = Assert.Single(rig.Region.Parts);
        Assert.Equal((0, 2, 0), (part.Index, part.MemberCount, part.Rounds.Count));
        Assert.Equal((HostRig.NodeOf(1), "node-1"), (part.First.Node, part.First.Name));
        Assert.Equal((last.Accepted!.View.Members[1].Node, "node-2"), (part.Last.Node, part.Last.Name));
        Assert.Null(part.Leader);
        Assert.Null(part.AgeNs);
        Assert.True(rig.Region.RoundAgeNsMax > 0, "the part has told nothing since its view was made");
    }

    [Fact]
    public void A_part_tells_who_leads_it_in_whose_place_and_who_is_silent()
    {
        var rig = new HostRig(Options);
        NodeRig[] nodes = [.. Enumerable.Range(1, 4).Select(i => rig.Join(i))];
        RegionView view = nodes[3].Accepted!.View.Cut(4);

        Tell(rig, nodes[2], new RingRound(view, view.PartAt(0), rank: 2).Silent(3));
        PartStatus part = Assert.Single(rig.Region.Parts);
        Assert.Equal(("node-3", 2, 1), (part.Leader!.Name, part.Rounds.Rank, part.Rounds.Count));
        Assert.Equal(["node-1", "node-2"], part.InPlaceOf.Select(m => m.Name));
        Assert.Equal(["node-4"], part.Silent.Select(m => m.Name));
        Assert.Equal(1, rig.Counters.RoundsSubstituted);
        Assert.Equal(
            [("node-1", "node-3", 1), ("node-2", "node-3", 1), ("node-4", "node-3", 1)],
            part.Accusations.Select(a => (a.Member.Name, a.Accuser.Name, a.Rounds)));
        rig.RunAlive(HostRig.SecondNs / 2, nodes);
        Assert.Equal((1L, 1L), (rig.Counters.Parts, rig.Counters.Silent));

        long toldNs = part.Rounds.ToldNs;
        Tell(rig, nodes[0], new RingRound(view, view.PartAt(0)));
        part = Assert.Single(rig.Region.Parts);
        Assert.Equal(("node-1", 0, 2), (part.Leader!.Name, part.Rounds.Rank, part.Rounds.Count));
        Assert.Empty(part.InPlaceOf);
        Assert.Empty(part.Silent);
        Assert.Empty(part.Accusations);
        Assert.Equal(part.Rounds.ToldNs - toldNs, part.Rounds.IntervalNs);
        Assert.Equal(part.AgeNs, rig.Region.RoundAgeNsMax);
        Assert.Equal(1, rig.Counters.RoundsSubstituted);

        rig.RunAlive(HostRig.SecondNs, nodes);
        Assert.True(rig.Counters.RoundAgeNsMax > HostRig.SecondNs / 2);
        Assert.Equal((1L, 0L), (rig.Counters.Parts, rig.Counters.Silent));
    }

    [Fact]
    public void An_accusation_tells_for_how_long_in_how_many_rounds_and_when_the_host_heard_the_member()
    {
        var rig = new HostRig(Options);
        NodeRig[] nodes = [.. Enumerable.Range(1, 4).Select(i => rig.Join(i))];
        RegionView view = nodes[3].Accepted!.View.Cut(4);
        RingRound accuses = new RingRound(view, view.PartAt(0)).Silent(2);

        nodes[2].Heartbeat();
        Tell(rig, nodes[0], accuses);
        rig.Run(200 * HostRig.MillisecondNs);
        Tell(rig, nodes[0], accuses);
        AccusationStatus accusation = Assert.Single(rig.Region.Parts[0].Accusations);
        Assert.Equal(("node-3", "node-1", 2), (accusation.Member.Name, accusation.Accuser.Name, accusation.Rounds));
        Assert.InRange(accusation.AgeNs, 200 * HostRig.MillisecondNs, 220 * HostRig.MillisecondNs);
        Assert.InRange(accusation.HeardNs, accusation.AgeNs, 225 * HostRig.MillisecondNs);

        // A frame refutes it for the host; the round that said so stays the newest.
        nodes[2].Heartbeat();
        rig.Deliver();
        Assert.Equal((0, 0L), (rig.Region.Parts[0].Accusations[0].Rounds, rig.Region.Parts[0].Accusations[0].HeardNs));
        nodes[2].Send(new Leave("enough"));
        rig.Deliver();
        Assert.Empty(rig.Region.Parts[0].Accusations);
    }

    [Fact]
    public void A_member_that_is_gone_has_no_name_until_the_next_view()
    {
        var rig = new HostRig(Options);
        NodeRig[] nodes = [.. Enumerable.Range(1, 4).Select(i => rig.Join(i))];
        RegionView view = nodes[3].Accepted!.View.Cut(4);
        Tell(rig, nodes[0], new RingRound(view, view.PartAt(0)));

        nodes[3].Send(new Leave("enough"));
        rig.Deliver();
        RegionStatus status = rig.Region;
        Assert.Equal((4, 0), (status.MemberCount, status.EnteringCount));
        Assert.Equal((HostRig.NodeOf(4), ""), (status.Parts[0].Last.Node, status.Parts[0].Last.Name));
        rig.Run(3 * HostRig.SecondNs / 2);
        Assert.Equal("node-3", rig.Region.Parts[0].Last.Name);
    }

    [Fact]
    public void A_region_is_found_by_as_much_of_its_name_as_no_other_has()
    {
        var rig = new HostRig(Options);
        for (int i = 1; i <= 20; i++)
        {
            rig.Join(i, j => j with { Zone = $"zone-{i}" });
        }

        string[] names = [.. rig.Regions.After(null, 100).Select(r => r.Status().Name)];
        Assert.Equal(20, names.Length);
        Assert.Equal(names.Order(StringComparer.Ordinal), names);
        Assert.Equal(names[5..8], rig.Regions.After(rig.Regions.Find(names[4], out _)!.Identity.RegionId, 3).Select(r => r.Status().Name));
        Assert.Equal(names[7], rig.Regions.Find(names[7].ToUpperInvariant(), out _)!.Status().Name);
        Assert.Equal(names[7], rig.Regions.Find(names[7][..12], out _)!.Status().Name);

        // Twenty names begin with sixteen digits.
        string digit = names.GroupBy(n => n[..1]).First(g => g.Count() > 1).Key;
        Assert.Null(rig.Regions.Find(digit, out Refusal? several));
        Assert.Equal(ErrorCode.InvalidRequest, several!.Code);
        Assert.Contains(names.First(n => n.StartsWith(digit, StringComparison.Ordinal)), several.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("no-name")]
    [InlineData("00000000000000000")]
    [InlineData("0x12")]
    public void What_is_no_name_is_refused_with_what_a_name_is(string name)
    {
        Assert.Null(new HostRig().Regions.Find(name, out Refusal? refusal));
        Assert.Equal(ErrorCode.InvalidRequest, refusal!.Code);
        Assert.Contains("16 hexadecimal digits", refusal.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_region_that_is_not_there_is_not_found()
    {
        Assert.Null(new HostRig().Regions.Find("12ab", out Refusal? refusal));
        Assert.Equal(ErrorCode.NotFound, refusal!.Code);
        Assert.Contains("'12ab'", refusal.Text, StringComparison.Ordinal);
    }

    private static void Tell(HostRig rig, NodeRig leader, RingRound round)
    {
        leader.SendAggregate(round);
        rig.Run(5 * HostRig.MillisecondNs);
    }
}
