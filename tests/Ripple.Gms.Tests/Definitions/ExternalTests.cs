using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Tests.Calls;
using Monitor = Ripple.Engine.Protocol.Calls.Monitor;

namespace Ripple.Gms.Tests.Definitions;

/// <summary>Externals: what is no process of Ripple's and reports levels of an application's own, for good.</summary>
public sealed class ExternalTests
{
    private const string Companion = "$shop";
    private const string Verified = "MIN($EXTERNAL(\"bench\").verified)";

    private readonly CallRig _host = new();
    private readonly ControlCaller _admin;
    private readonly ControlCaller _publisher;

    public ExternalTests()
    {
        _admin = _host.Connect(CallRig.Admin);
        _publisher = _host.Connect(CallRig.Publisher);
    }

    [Fact]
    public void A_report_of_a_publisher_holds_waits_for_it_and_for_all_before_and_wakes_nobody()
    {
        Define("externals/bench", "in hall 3");
        Define("levels/verified", "");
        ControlCaller node = _host.Join("web-1");
        _publisher.Publish("a", "1");
        _publisher.Publish("a", "2");
        node.Report(2);
        Wait(10, Verified, release: 1);
        Wait(11, "MIN($EXTERNAL_bench.verified, $ALL.applied)", release: 2);
        Assert.Empty(Ended());
        Assert.Equal(ErrorCode.None, Report("1/1").Code);
        Assert.Equal([10u], Ended());
        Assert.Equal(ErrorCode.None, Report("1/2").Code);
        Assert.Equal([11u], Ended());
        Assert.Equal(2, _host.Committed.Count(h => h.Application == CallRig.Shop));
    }

    [Fact]
    public void Reports_never_go_back_by_a_lesser_one_a_rollback_or_a_start_of_the_host()
    {
        Define("externals/bench", "");
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        _publisher.Publish("a", "2");
        Assert.Equal(ErrorCode.None, Report("1/1").Code);
        Define("predicates/safe", Verified);
        Assert.Equal(ErrorCode.None, Report("1/2").Code);
        Refusals.Is(
            ErrorCode.NothingChanged, "'bench' has reported 'verified' of 1/2 already, which says so of 1/1.", Report("1/1"));

        // Back to when 1 was reported, and there was no predicate.
        Assert.Equal(ErrorCode.None, _admin.Rollback(3, application: Companion).Code);
        Assert.Empty(_host.Definitions!.Predicates);
        Assert.Equal(2UL, Assert.Single(_host.Definitions.Reports.Values).Release);

        _host.Restart();
        ControlCaller back = _host.Connect(CallRig.Publisher);
        WaitResult held = Ask();
        Assert.Equal("The definitions of 'shop' are being read. Ask again.", held.Text);
        for (int i = 0; held.Code == ErrorCode.Busy && i < 10; i++)
        {
            held = Ask();
        }

        Assert.Equal((ErrorCode.None, string.Empty), (held.Code, held.Text));

        WaitResult Ask()
        {
            back.Send(new Wait(back.NextCall(), CallRig.Shop, 0, 2, Verified, 0, CountLeft: false));
            _host.Run();
            return Assert.Single(back.Take<WaitResult>());
        }
    }

    [Fact]
    public void Of_two_reports_at_once_the_one_that_was_judged_against_another_is_asked_again()
    {
        Define("externals/bench", "");
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        _publisher.Publish("a", "2");
        _host.HoldsPreparations = true;
        _publisher.BeginPublish([("reports/bench/verified", "1/2")], application: Companion);
        _publisher.BeginPublish([("reports/bench/verified", "1/1")], application: Companion);
        _host.Run();
        Assert.Equal(2, _host.HeldCount);
        _host.HoldsPreparations = false;
        _host.Prepare();
        _host.Run();
        Assert.Equal([ErrorCode.None, ErrorCode.Busy], _publisher.Take<PublishResult>().Select(r => r.Code));
        Assert.Equal(2UL, Assert.Single(_host.Definitions!.Reports.Values).Release);
    }

    [Theory]
    [InlineData("reports/bensh/verified", "1/1", ErrorCode.NotFound, "There is no external 'bensh'. Near: bench. ")]
    [InlineData("reports/bench/virified", "1/1", ErrorCode.NotFound, "There is no level 'virified' of its own. Near: verified. ")]
    [InlineData("reports/bench/verified", "1/2", ErrorCode.NotFound, "There is no release 1/2 to report: the newest is 1/1.")]
    [InlineData("reports/bench/verified", "2/1", ErrorCode.NotFound, "There is no release 2/1 to report: the newest is 1/1.")]
    [InlineData("reports/bench/verified", "1", ErrorCode.InvalidRequest, "The text of 'reports/bench/verified' is no release. ")]
    [InlineData("reports/bench/verified", "01/1", ErrorCode.InvalidRequest, "The text of 'reports/bench/verified' is no release. ")]
    [InlineData("reports/bench", "1/1", ErrorCode.InvalidRequest, "'reports/bench' is no report. Its key is reports/EXTERNAL/LEVEL.")]
    [InlineData("externals/Bench", "", ErrorCode.InvalidRequest, "'Bench' is no name of an external. ")]
    public void What_cannot_be_reported_is_refused_with_what_there_is(string key, string value, ErrorCode code, string begin)
    {
        Define("externals/bench", "");
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        PublishResult refused = _admin.Publish(key, value, application: Companion);
        Assert.Equal(code, refused.Code);
        Assert.StartsWith(begin, refused.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_publisher_reports_and_defines_nothing_and_a_node_does_neither()
    {
        Define("externals/bench", "");
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        Assert.Equal(ErrorCode.NotAllowed, _publisher.Publish("externals/other", "", application: Companion).Code);
        _publisher.BeginPublish([("reports/bench/verified", "1/1"), ("predicates/safe", Verified)], application: Companion);
        Assert.Equal(ErrorCode.NotAllowed, _publisher.Answer<PublishResult>().Code);
        ControlCaller node = _host.Join("web-1");
        Assert.Equal(ErrorCode.NotAllowed, node.Publish("reports/bench/verified", "1/1", application: Companion).Code);
        Assert.Empty(_host.Definitions!.Reports);
        Assert.Equal(ErrorCode.NotAllowed, _publisher.Rollback(1, application: Companion).Code);
    }

    [Fact]
    public void An_external_is_no_node_and_has_the_applications_own_levels_alone()
    {
        Define("externals/bench", "");
        Define("levels/verified", "");
        _host.Join("web-1").Report(0);
        _publisher.Publish("a", "1");
        Refuses("MIN($EXTERNAL(\"bench\").applied)", "An external receives nothing: it has levels of the application's own, and 'applied'");
        Refuses("MIN($EXTERNAL(\"bench\"))", "An external receives nothing: it has levels of the application's own, and 'received'");
        Refuses("MIN($EXTERNAL(\"other\").verified)", "the externals are bench.");
        Refuses("MIN($NODE(\"bench\").verified)", "has no members");
        Refuses("KTH_MAX(2, $ALL.verified)", "");
        _publisher.Send(new Status(_publisher.NextCall(), CallRig.Shop));
        Assert.Equal("web-1", Assert.Single(_publisher.Answer<StatusResult>().Rows).Name);
    }

    [Fact]
    public void One_that_is_removed_takes_its_reports_along_and_waits_go_on_without_it()
    {
        Define("externals/bench", "");
        Define("externals/line", "");
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        Assert.Equal(ErrorCode.None, Report("1/1").Code);
        Wait(10, "MIN($EXTERNAL_bench.verified, $EXTERNAL_line.verified)");
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "'reports/bench/verified' and 'externals/bench' go together: remove both, or neither.",
            _admin.Publish("externals/bench", null, application: Companion));
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "'reports/bench/verified' and 'externals/bench' go together: remove both, or neither.",
            _admin.Publish("reports/bench/verified", null, application: Companion));
        Assert.Empty(Ended());
        Assert.Equal(ErrorCode.None, _admin.Publish("externals/line", null, application: Companion).Code);
        Assert.Equal([10u], Ended());
        _admin.BeginPublish([("externals/bench", null), ("reports/bench/verified", null)], application: Companion);
        Assert.Equal(ErrorCode.None, _admin.Answer<PublishResult>().Code);
        // One that comes again begins with nothing.
        Define("externals/bench", "");
        Wait(11, Verified);
        Assert.Empty(Ended());
    }

    [Fact]
    public void A_first_report_that_its_external_is_removed_before_is_refused_and_leaves_nothing()
    {
        Define("externals/bench", "");
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        _host.HoldsPreparations = true;
        _admin.BeginPublish([("externals/bench", null)], application: Companion);
        _publisher.BeginPublish([("reports/bench/verified", "1/1")], application: Companion);
        _host.Run();
        _host.HoldsPreparations = false;
        _host.Prepare();
        _host.Run();
        Assert.Equal(ErrorCode.None, Assert.Single(_admin.Take<PublishResult>()).Code);
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "'reports/bench/verified' and 'externals/bench' go together: remove both, or neither.",
            Assert.Single(_publisher.Take<PublishResult>()));
        Assert.Empty(_host.Definitions!.Reports);
    }

    [Fact]
    public void There_are_eight_at_most_and_what_one_is_may_be_said_anew()
    {
        for (int i = 0; i < 8; i++)
        {
            Define($"externals/bench-{i}", "");
        }

        Refusals.Is(
            ErrorCode.TooLarge,
            "There would be 9 externals, and an application has at most 8 of its own.",
            _admin.Publish("externals/other", "", application: Companion));
        Define("externals/bench-3", "in hall 3");
        Assert.Equal("in hall 3", _host.Definitions!.Externals["bench-3"]);
    }

    [Fact]
    public void A_monitor_tells_of_reports_as_they_come()
    {
        Define("externals/bench", "");
        Define("levels/verified", "");
        _publisher.Publish("a", "1");
        _publisher.Publish("a", "2");
        _publisher.Send(new Monitor(1, CallRig.Shop, Verified));
        _host.Run();
        Report("1/1");
        _host.Run();
        Report("1/2");
        _host.Run();
        Assert.Equal([0UL, 1UL, 2UL], _publisher.Take<MonitorPoint>().Select(p => p.Release));
    }

    private PublishResult Report(string release) => _publisher.Publish("reports/bench/verified", release, application: Companion);

    private void Define(string key, string value) =>
        Assert.Equal(ErrorCode.None, _admin.Publish(key, value, application: Companion).Code);

    private void Refuses(string predicate, string text)
    {
        Wait(99, predicate);
        WaitResult refused = Assert.Single(_publisher.Take<WaitResult>());
        Assert.Equal(ErrorCode.InvalidPredicate, refused.Code);
        Assert.Contains(text, refused.Text, StringComparison.Ordinal);
    }

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
