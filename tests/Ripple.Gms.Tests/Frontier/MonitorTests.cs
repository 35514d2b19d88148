using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Calls;
using Monitor = Ripple.Engine.Protocol.Calls.Monitor;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>Monitors as a caller of the control channel has them: points that never go back.</summary>
public sealed class MonitorTests
{
    private const string Companion = "$shop";
    private const string Safe = "predicates/safe";

    private readonly CallRig _host = new();
    private readonly ControlCaller _admin;
    private readonly ControlCaller _publisher;

    public MonitorTests()
    {
        _admin = _host.Connect(CallRig.Admin);
        _publisher = _host.Connect(CallRig.Publisher);
    }

    [Fact]
    public void A_point_comes_at_once_and_whenever_the_newest_release_that_holds_changes()
    {
        ControlCaller[] nodes = _host.JoinAll("web-1", "web-2");
        _publisher.Publish("a", "1");
        Follow("MIN($ALL.applied)");
        Assert.Equal([(0UL, 0UL)], Points());

        nodes[0].Report(1);
        Assert.Empty(Points());
        nodes[1].Report(1);
        Assert.Equal([(0UL, 1UL)], Points());

        // Nothing is told twice.
        nodes[1].Report(1);
        _publisher.Publish("a", "2");
        Assert.Empty(Points());
        nodes[0].Report(2);
        nodes[1].Report(2);
        Assert.Equal([(0UL, 2UL)], Points());
    }

    [Fact]
    public void Who_joins_holds_it_up_and_never_lowers_it_and_who_leaves_no_longer_counts()
    {
        ControlCaller old = _host.Join("web-1");
        _publisher.Publish("a", "1");
        old.Report(1);
        Follow("MIN($ALL.applied)");
        Assert.Equal([(0UL, 1UL)], Points());

        ControlCaller joiner = _host.Join("web-2");
        _publisher.Publish("a", "2");
        old.Report(2);
        Assert.Empty(Points());

        joiner.Break();
        _host.Run(5_000_000_000);
        Assert.Equal([(0UL, 2UL)], Points());
    }

    [Fact]
    public void A_name_is_followed_and_a_stricter_predicate_raises_the_version_and_may_show_an_older_release()
    {
        ControlCaller[] nodes = _host.JoinAll("web-1", "web-2");
        Define("MAX($ALL.applied)");
        _publisher.Publish("a", "1");
        _publisher.Publish("a", "2");
        nodes[0].Report(2);
        nodes[1].Report(1);
        Follow("safe");
        Assert.Equal([(1UL, 2UL)], Points());

        Define("MIN($ALL.applied)");
        Assert.Equal([(2UL, 1UL)], Points());
        // Another definition is none of its business.
        _admin.Publish("predicates/other", "MAX($ALL.applied)", application: Companion);
        Assert.Empty(Points());

        nodes[1].Report(2);
        Assert.Equal([(2UL, 2UL)], Points());
        _admin.Publish(Safe, null, application: Companion);
        MonitorPoint end = Assert.Single(_publisher.Take<MonitorPoint>());
        Assert.Equal((ErrorCode.InvalidPredicate, "The predicate 'safe' of 'shop' was removed."), (end.Code, end.Text));
        Assert.Equal(0, _host.MonitorCount);
    }

    [Fact]
    public void Two_who_follow_one_predicate_by_name_and_by_text_each_get_their_points()
    {
        ControlCaller node = _host.Join("web-1");
        Define("MIN($ALL.applied)");
        _publisher.Publish("a", "1");
        Follow("safe", 1);
        Follow("MIN($ALL.applied)", 2);
        node.Report(1);
        Define("MAX($ALL.applied)");
        Assert.Equal(
            [(1u, 1UL, 0UL), (1u, 1UL, 1UL), (1u, 2UL, 1UL), (2u, 0UL, 0UL), (2u, 0UL, 1UL)],
            _publisher.Take<MonitorPoint>().Select(p => (p.Call, p.Version, p.Release)).Order());
    }

    [Fact]
    public void Who_takes_slowly_gets_the_newest_point_and_no_heap_of_old_ones()
    {
        ControlCaller node = _host.Join("web-1");
        Follow("MIN($ALL.applied)");
        Points();
        _publisher.Stop();
        for (ulong release = 1; release <= 6; release++)
        {
            Assert.Equal(ErrorCode.None, _admin.Publish("a", $"{release}").Code);
            node.Report(release);
        }

        _publisher.GoOn();
        _host.Run();
        Assert.Equal([(0UL, 6UL)], Points());
    }

    [Fact]
    public void With_nobody_there_that_it_names_it_says_so_and_goes_on_when_somebody_comes()
    {
        _publisher.Publish("a", "1");
        Follow("MIN($ZONE(\"east\").applied)");
        MonitorPoint none = Assert.Single(_publisher.Take<MonitorPoint>());
        Assert.Equal(ErrorCode.None, none.Code);
        Assert.Contains("$ZONE_east has no members", none.Text, StringComparison.Ordinal);

        ControlCaller node = _host.Join("web-1");
        node.Report(1);
        Assert.Equal((0UL, 1UL, ""), _publisher.Take<MonitorPoint>().Select(p => (p.Version, p.Release, p.Text)).Last());
    }

    [Fact]
    public void Over_a_start_of_the_host_a_monitor_that_is_asked_again_never_shows_less_than_is_true()
    {
        ControlCaller node = _host.Join("web-1");
        Define("MIN($ALL.applied)");
        _publisher.Publish("a", "1");
        node.Report(1);
        _host.Restart();
        ControlCaller again = _host.Connect(CallRig.Publisher);
        _host.Run();
        again.Send(new Monitor(1, CallRig.Shop, "safe"));
        _host.Run();
        // The member is awaited: until it is back nobody has anything, and the version is no smaller.
        Assert.Equal([(1UL, 0UL)], again.Take<MonitorPoint>().Select(p => (p.Version, p.Release)));
        ControlCaller back = _host.JoinAgain(node, "web-1");
        back.Report(1);
        Assert.Equal([(1UL, 1UL)], again.Take<MonitorPoint>().Select(p => (p.Version, p.Release)));
    }

    [Fact]
    public void Direct_monitors_have_every_release_reported_directly()
    {
        ControlCaller node = _host.Join("web-1");
        Follow("MIN($ALL.applied.direct)");
        _publisher.Publish("a", "1");
        Assert.Equal(1UL, Assert.Single(node.Take<DirectDemand>()).Release);
        _publisher.Publish("a", "2");
        Assert.Equal(2UL, Assert.Single(node.Take<DirectDemand>()).Release);
    }

    [Theory]
    [InlineData("MIN($ALL.applied", ErrorCode.InvalidPredicate, "The predicate is not one. At 16: ")]
    [InlineData("unknown", ErrorCode.InvalidPredicate, "'shop' has no predicate 'unknown'. None is defined. ")]
    public void What_is_no_predicate_is_refused(string predicate, ErrorCode code, string begin)
    {
        Follow(predicate);
        MonitorPoint refused = Assert.Single(_publisher.Take<MonitorPoint>());
        Assert.Equal(code, refused.Code);
        Assert.StartsWith(begin, refused.Text, StringComparison.Ordinal);
        Assert.Equal(0, _host.MonitorCount);
    }

    [Fact]
    public void A_connection_has_so_many_and_gives_their_places_back()
    {
        for (uint call = 1; call <= 256; call++)
        {
            Follow("MIN($ALL.applied)", call);
        }

        Assert.All(_publisher.Take<MonitorPoint>(), p => Assert.Equal(ErrorCode.None, p.Code));
        Follow("MIN($ALL.applied)", 257);
        Assert.Equal(ErrorCode.Busy, Assert.Single(_publisher.Take<MonitorPoint>()).Code);
        _publisher.Send(new WaitCancel(1));
        Follow("MIN($ALL.applied)", 257);
        Assert.Equal(ErrorCode.None, Assert.Single(_publisher.Take<MonitorPoint>()).Code);
        Assert.Equal(256, _host.MonitorCount);
        _publisher.Break();
        Assert.Equal(0, _host.MonitorCount);
    }

    [Fact]
    public void A_token_that_loses_its_role_loses_its_monitors()
    {
        Follow("MIN($ALL.applied)");
        Points();
        _host.Change(AccessTokenChange.Revoke(CallRig.Publisher, 5, "test"));
        Assert.Equal(0, _host.MonitorCount);
    }

    private void Follow(string predicate, uint call = 1)
    {
        _publisher.Send(new Monitor(call, CallRig.Shop, predicate));
        _host.Run();
    }

    private void Define(string predicate) =>
        Assert.Equal(ErrorCode.None, _admin.Publish(Safe, predicate, application: Companion).Code);

    private IEnumerable<(ulong Version, ulong Release)> Points()
    {
        _host.Run();
        return _publisher.Take<MonitorPoint>().Select(p => (p.Version, p.Release));
    }
}
