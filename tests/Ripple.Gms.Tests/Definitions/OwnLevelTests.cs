using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Gms.Tests.Calls;
using Monitor = Ripple.Engine.Protocol.Calls.Monitor;

namespace Ripple.Gms.Tests.Definitions;

/// <summary>Levels of an application's own: declared by definitions, reported by members, named by predicates.</summary>
public sealed class OwnLevelTests
{
    private const string Companion = "$shop";

    private readonly CallRig _host = new();
    private readonly ControlCaller _admin;
    private readonly ControlCaller _publisher;

    public OwnLevelTests()
    {
        _admin = _host.Connect(CallRig.Admin);
        _publisher = _host.Connect(CallRig.Publisher);
    }

    [Fact]
    public void A_level_that_members_report_holds_a_wait()
    {
        ControlCaller[] nodes = _host.JoinAll("web-1", "web-2", "web-3");
        Define("levels/verified", "its checks have passed");
        _publisher.Publish("a", "1");
        foreach (ControlCaller node in nodes)
        {
            node.Report(1);
        }

        Wait(10, "KTH_MAX(2, $ALL.verified)");
        Wait(11, "MIN($ALL.verified.direct)");
        Assert.Equal(ErrorCode.None, Reach(nodes[0], 1).Code);
        Assert.Empty(Ended());
        Reach(nodes[2], 1);
        Assert.Equal([10u], Ended());
        Reach(nodes[1], 1);
        Assert.Equal([11u], Ended());
    }

    [Fact]
    public void A_claim_counts_for_no_more_than_was_received_and_counts_when_it_was()
    {
        ControlCaller node = _host.Join("web-1");
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        _publisher.Publish("a", "2");
        node.Report(1);
        Reach(node, 2);
        Wait(10, "MIN($ALL.verified)", release: 1);
        Wait(11, "MIN($ALL.verified)", release: 2);
        Assert.Equal([10u], Ended());
        node.Report(2);
        Assert.Equal([11u], Ended());
    }

    [Fact]
    public void What_nobody_can_have_is_refused_and_raises_nothing()
    {
        ControlCaller node = _host.Join("web-1");
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        node.Report(1);
        CallResult refused = Reach(node, 2);
        Assert.Equal(
            (ErrorCode.NotFound, "'shop' has no release 1/2: it is at 1/1."), (refused.Code, refused.Text));
        Assert.Equal(ErrorCode.NotFound, Reach(node, 1, generation: 2).Code);
        // What is of no generation, or of one that ended, is no report of anything either: who says so is told.
        Assert.Equal(ErrorCode.NotFound, Reach(node, 1, generation: 0).Code);
        Assert.Equal(ErrorCode.NotFound, Reach(node, 0).Code);
        Wait(10, "MIN($ALL.verified)");
        Assert.Empty(Ended());
    }

    [Theory]
    [InlineData("virified", ErrorCode.NotFound, "'shop' has no level 'virified' of its own; there is verified. Declare it first.")]
    [InlineData("applied", ErrorCode.InvalidRequest, "'applied' is reported by each node's library. Report one of the application's own; ")]
    public void A_level_that_is_not_the_applications_own_is_refused(string level, ErrorCode code, string begin)
    {
        ControlCaller node = _host.Join("web-1");
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        CallResult refused = Reach(node, 1, level: level);
        Assert.Equal(code, refused.Code);
        Assert.StartsWith(begin, refused.Text, StringComparison.Ordinal);
        CallResult stranger = Reach(_publisher, 1);
        Assert.Equal(ErrorCode.Busy, stranger.Code);
    }

    [Fact]
    public void A_predicate_that_names_a_level_that_nobody_declared_is_refused_with_those_that_are_near()
    {
        Define("levels/verified", "");
        Refusals.Is(
            ErrorCode.InvalidPredicate,
            "The predicate 'safe' names the level 'verifed', which nobody declared. Near: verified.",
            Publish("predicates/safe", "MIN($ALL.verifed)"));
        Define("predicates/safe", "MIN($ALL.verified)");
        // Both at once, in one release.
        _admin.BeginPublish([("levels/tested", "x"), ("predicates/tried", "MIN($ALL.tested)")], application: Companion);
        Assert.Equal(ErrorCode.None, _admin.Answer<PublishResult>().Code);
        _publisher.Publish("a", "1");
        _host.Join("web-1");
        Wait(10, "MIN($ALL.unknown)");
        Assert.Contains(
            "There are received, persisted, applied, verified, tested.",
            Assert.Single(_publisher.Take<WaitResult>()).Text,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_level_is_never_taken_away_by_a_rollback_neither_and_there_are_eight_at_most()
    {
        Define("levels/verified", "");
        Define("predicates/safe", "MIN($ALL.verified)");
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "The level 'verified' cannot be taken away: predicates may name it, and nodes may have reported it.",
            Publish("levels/verified", null));
        Define("levels/tested", "");
        Assert.Equal(ErrorCode.InvalidRequest, _admin.Rollback(1, application: Companion).Code);
        for (int i = 0; i < 6; i++)
        {
            Define($"levels/own_{i}", "");
        }

        Refusals.Is(
            ErrorCode.TooLarge,
            "There would be 9 levels, and an application has at most 8 of its own.",
            Publish("levels/one_more", ""));
        // To say anew what one means is no other level.
        Define("levels/tested", "by the test bench");
        Assert.Equal("by the test bench", _host.Definitions!.Levels["tested"]);
    }

    [Theory]
    [InlineData("levels/applied", "'applied' is a word of predicates already. Give the level another name.")]
    [InlineData("levels/direct", "'direct' is a word of predicates already. Give the level another name.")]
    [InlineData("levels/is-verified", "'is-verified' is no name of a level. Give 1 to 32 of a-z 0-9 _, beginning with a letter.")]
    public void A_name_that_predicates_cannot_say_is_refused(string key, string text) =>
        Refusals.Is(ErrorCode.InvalidRequest, text, Publish(key, ""));

    [Fact]
    public void A_host_has_every_level_of_what_it_released()
    {
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        Wait(10, "MIN($HOSTS.verified)");
        Assert.Equal([10u], Ended());
    }

    [Fact]
    public void A_monitor_that_waited_for_a_level_goes_on_when_it_is_declared_and_a_new_generation_begins_with_nothing()
    {
        ControlCaller node = _host.Join("web-1");
        _publisher.Publish("a", "1");
        node.Report(1);
        _publisher.Send(new Monitor(1, CallRig.Shop, "MIN($ALL.verified)"));
        _host.Run();
        Assert.Contains("There is no level 'verified'", Assert.Single(_publisher.Take<MonitorPoint>()).Text, StringComparison.Ordinal);
        Define("levels/verified", "");
        _host.Run();
        Reach(node, 1);
        Assert.Equal((1UL, ""), _publisher.Take<MonitorPoint>().Select(p => (p.Release, p.Text)).Last());
    }

    [Fact]
    public void After_a_start_of_the_host_who_reports_before_definitions_are_read_is_told_to_report_again()
    {
        ControlCaller node = _host.Join("web-1");
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        node.Report(1);
        _host.Restart();
        ControlCaller back = _host.JoinAgain(node, "web-1");
        back.Report(1);
        Assert.Equal(ErrorCode.None, Reach(back, 1).Code);
    }

    private static CallResult Reach(
        ControlCaller node, ulong release, uint generation = 1, string level = "verified")
    {
        node.Send(new LevelReport(7, CallRig.Shop, generation, release, level));
        return node.Answer<CallResult>();
    }

    private PublishResult Publish(string key, string? value) => _admin.Publish(key, value, application: Companion);

    private void Define(string key, string value) => Assert.Equal(ErrorCode.None, Publish(key, value).Code);

    private void Wait(uint call, string predicate, ulong release = 1)
    {
        _publisher.Send(new Wait(call, CallRig.Shop, 0, release, predicate, 0, CountLeft: false));
        _host.Run();
    }

    private IEnumerable<uint> Ended()
    {
        _host.Run();
        return _publisher.Take<WaitResult>().Select(r => r.Call);
    }
}
