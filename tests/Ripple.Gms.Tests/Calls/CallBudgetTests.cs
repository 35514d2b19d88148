using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Gms.Calls;

namespace Ripple.Gms.Tests.Calls;

/// <summary>What callers of the control door may cost the host.</summary>
public sealed class CallBudgetTests
{
    private readonly CallRig _host = new();

    [Fact]
    public void Who_does_not_take_a_status_holds_one_and_no_rows_of_it()
    {
        _host.JoinAll([.. Enumerable.Range(0, 230).Select(i => $"web-{i:D3}")]);
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        caller.Stop();
        for (uint call = 1; call <= 50; call++)
        {
            caller.Send(new Status(call, CallRig.Shop));
        }

        _host.Run();
        Assert.Equal(1, _host.AnswersWaitingMax);
        caller.GoOn();
        _host.Run();
        List<StatusResult> answers = caller.Take<StatusResult>();
        // The others are told so at once, before the pages that wait for room.
        Assert.Equal(49, answers.Count(a => a.Code == ErrorCode.Busy));
        Assert.Equal([100, 100, 30], answers.Where(a => a.Code == ErrorCode.None).Select(a => a.Rows.Count));
        Assert.All(answers.Where(a => a.Code == ErrorCode.None), a => Assert.Equal(1u, a.Call));
        // And then another may be asked for.
        caller.Send(new Status(60, CallRig.Shop));
        _host.Run();
        Assert.Equal(230, caller.Take<StatusResult>().Where(a => a.Code == ErrorCode.None).Sum(a => a.Rows.Count));
    }

    [Fact]
    public void A_connection_has_few_reads_in_progress_and_the_others_are_busy()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        caller.Publish("a", "1");
        for (uint call = 1; call <= 100; call++)
        {
            caller.Send(new History(call, CallRig.Shop, ulong.MaxValue, 10));
        }

        _host.Run();
        List<HistoryResult> answers = caller.Take<HistoryResult>();
        Assert.Equal(100, answers.Count);
        Assert.Equal(16, answers.Count(a => a.Code == ErrorCode.None));
        Assert.All(answers.Where(a => a.Code != ErrorCode.None), a => Assert.Equal(ErrorCode.Busy, a.Code));
        caller.Send(new History(101, CallRig.Shop, ulong.MaxValue, 10));
        Assert.Equal(ErrorCode.None, caller.Answer<HistoryResult>().Code);
    }

    [Fact]
    public void A_token_has_its_share_of_reads_and_leaves_the_rest_to_others()
    {
        _host.Connect(CallRig.Publisher).Publish("a", "1");
        ControlCaller[] callers = [.. Enumerable.Range(0, 10).Select(_ => _host.Connect(CallRig.Node))];
        foreach (ControlCaller caller in callers)
        {
            for (uint call = 1; call <= 16; call++)
            {
                caller.Send(new History(call, CallRig.Shop, ulong.MaxValue, 10));
            }
        }

        ControlCaller other = _host.Connect(CallRig.Publisher);
        other.Send(new History(1, CallRig.Shop, ulong.MaxValue, 10));
        _host.Run();
        Assert.Equal(64, callers.SelectMany(c => c.Take<HistoryResult>()).Count(a => a.Code == ErrorCode.None));
        Assert.Equal(ErrorCode.None, Assert.Single(other.Take<HistoryResult>()).Code);
    }

    [Fact]
    public void Reads_of_a_connection_that_went_give_their_places_back()
    {
        _host.Connect(CallRig.Publisher).Publish("a", "1");
        for (int i = 0; i < 20; i++)
        {
            ControlCaller gone = _host.Connect(CallRig.Node);
            for (uint call = 1; call <= 16; call++)
            {
                gone.Send(new History(call, CallRig.Shop, ulong.MaxValue, 10));
            }

            _host.Pump();
            gone.Break();
        }

        Assert.Equal(0, _host.ReadCount);
        ControlCaller caller = _host.Connect(CallRig.Node);
        caller.Send(new History(1, CallRig.Shop, ulong.MaxValue, 10));
        Assert.Equal(ErrorCode.None, caller.Answer<HistoryResult>().Code);
    }

    [Fact]
    public void A_past_state_is_read_once_for_all_who_ask_for_it_meanwhile()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        caller.Publish("a", "1");
        caller.Publish("a", "2");
        int before = _host.Store.ReadCount;
        for (uint call = 1; call <= 10; call++)
        {
            caller.Send(new ReadKey(call, CallRig.Shop, 1, "a"));
        }

        _host.Run();
        Assert.Equal(10, caller.Take<ReadKeyResult>().Count(a => a.Code == ErrorCode.None));
        Assert.Equal(before + 1, _host.Store.ReadCount);
    }

    [Fact]
    public void Who_asks_more_than_its_share_of_the_core_is_busy_until_time_has_passed()
    {
        var host = new CallRig(CallRig.ManyFrames);
        ControlCaller caller = host.Connect(CallRig.Publisher);
        ControlCaller other = host.Connect(CallRig.Stranger);
        caller.Publish("a", "1");
        // A core's fifth of a second, and each costs five microseconds of it.
        for (uint call = 1; call <= 41_000; call++)
        {
            caller.Send(new ReadKey(call, CallRig.Shop, 0, "a"));
            if (call % 1_000 == 0)
            {
                host.Pump();
            }
        }

        host.Run(1_000_000);
        List<ReadKeyResult> answers = caller.Take<ReadKeyResult>();
        Assert.Equal(41_000, answers.Count);
        Assert.InRange(answers.Count(a => a.Code == ErrorCode.Busy), 500, 1_500);
        Assert.Equal(ErrorCode.None, other.Publish("b", "1", application: "other").Code);
        host.Run(500_000_000);
        caller.Send(new ReadKey(50_000, CallRig.Shop, 0, "a"));
        Assert.Equal(ErrorCode.None, caller.Answer<ReadKeyResult>().Code);
    }

    [Fact]
    public void Who_comes_again_does_not_have_its_share_again()
    {
        const long SecondNs = 1_000_000_000;
        var core = new CoreLoop(new CoreOptions(), 1);
        var budget = new CallBudget(core, new CallLimits(), new GmsCounters(), new GmsEvents(null));
        var owner = new ShareOwner("t", "shop");
        for (int connection = 0; connection < 10; connection++)
        {
            using CallBudget.Share share = budget.Open(owner, "node");
            share.TryTake(200_000_000);
            budget.OnTick();
        }

        // A second of the token's and 1.4 of the application's were used up by the first five.
        Assert.NotNull(budget.TryTake(owner, 1));
        Assert.Null(budget.TryTake(new ShareOwner("u", "shop"), 400_000_001));
        Assert.NotNull(budget.TryTake(new ShareOwner("v", "shop"), 1));
        Assert.Null(budget.TryTake(new ShareOwner("w", "other"), 1));
        Assert.Equal(4, budget.TokenCount);
        // All is forgotten when all is paid back.
        core.DoWork(20 * SecondNs);
        budget.OnTick();
        Assert.Equal(0, budget.TokenCount);
    }

    [Fact]
    public void What_is_refused_is_counted_and_told_once_in_a_while_by_node_and_token()
    {
        const long SecondNs = 1_000_000_000;
        var core = new CoreLoop(new CoreOptions(), 1);
        var outlet = new Outlet<GmsEvent>(64);
        var counters = new GmsCounters();
        var budget = new CallBudget(core, new CallLimits(), counters, new GmsEvents(outlet));
        using CallBudget.Share share = budget.Open(new ShareOwner("t", "shop"), "node 7");
        Assert.Null(share.TryTake(300_000_000));
        for (int i = 0; i < 500; i++)
        {
            Assert.Equal(ErrorCode.Busy, share.TryTake(1)!.Code);
        }

        Assert.Equal(500, counters.CallsRefused);
        Assert.True(outlet.TryTake(out GmsEvent told));
        Assert.Equal(
            new GmsEvent(
                GmsEventKind.Refused,
                "node 7",
                "more than the share of one connection in the core's time for calls; token t; 1 since this was last told"),
            told);
        Assert.False(outlet.TryTake(out _));
        core.DoWork(10 * SecondNs);
        share.TakeForFrame(700_000_000);
        Assert.False(share.MayTakeFrames(isNew: true));
        Assert.False(share.MayTakeFrames(isNew: false));
        Assert.Equal(1, counters.FramesHeld);
        Assert.True(outlet.TryTake(out told));
        Assert.Equal(
            "more frames than the share of one connection; they wait; token t; 500 since this was last told", told.Detail);
        Assert.False(outlet.TryTake(out _));
    }

    [Fact]
    public void Waits_are_paid_for_by_length_and_by_whom_they_ask()
    {
        var host = new CallRig(CallRig.ManyFrames);
        ControlCaller caller = host.Connect(CallRig.Publisher);
        caller.Publish("a", "1");
        string predicate = "MIN($ALL.applied" + string.Concat(Enumerable.Repeat(",$ALL.applied", 300)) + ")";
        int refused = 0;
        for (uint call = 1; call <= 3_000; call++)
        {
            caller.Send(new Wait(call, CallRig.Shop, 0, 1, predicate, 0, CountLeft: false));
            caller.Send(new WaitCancel(call));
            if (call % 50 == 0)
            {
                host.Pump();
                refused += caller.Take<WaitResult>().Count(r => r.Code == ErrorCode.Busy);
            }
        }

        // Two hundred milliseconds are kept, and the text alone takes some hundred and sixty microseconds.
        Assert.InRange(refused, 1_500, 2_200);
        Assert.True(CallCosts.Of(new Wait(1, "a", 0, 1, "MIN($ALL.applied.direct)", 0, false), 10_000)
            > 10 * CallCosts.Of(new Wait(1, "a", 0, 1, "MIN($ALL.applied)", 0, false), 10_000));
    }

    [Fact]
    public void Applications_are_made_at_a_rate()
    {
        var host = new CallRig(CallRig.ManyFrames);
        ControlCaller caller = host.Connect(CallRig.Admin);
        for (uint call = 1; call <= 300; call++)
        {
            caller.Send(new CreateApplication(call, $"app-{call}"));
        }

        host.Pump();
        Assert.InRange(caller.Take<CallResult>().Count(r => r.Code == ErrorCode.Busy), 95, 101);
    }

    [Fact]
    public void Unused_time_is_kept_for_some_seconds_and_no_longer()
    {
        const long SecondNs = 1_000_000_000;
        var rate = new CallRate(50_000_000, 200_000_000, 0);
        Assert.True(rate.HasSome(long.MaxValue / 2));
        rate.Take(long.MaxValue / 2, 200_000_000);
        Assert.False(rate.HasSome(long.MaxValue / 2));
        Assert.True(rate.HasSome((long.MaxValue / 2) + SecondNs));
        rate.Take((long.MaxValue / 2) + SecondNs, 150_000_000);
        Assert.False(rate.HasSome((long.MaxValue / 2) + (2 * SecondNs)));
        Assert.True(rate.HasSome((long.MaxValue / 2) + (4 * SecondNs)));
    }

    [Fact]
    public void A_node_that_asks_for_its_view_a_thousand_times_is_sent_it_once()
    {
        ControlCaller node = _host.Connect(CallRig.Node);
        node.Send(_host.JoinMessage("web-1"));
        ulong region = node.Answer<JoinAccepted>().View.RegionId;
        node.Stop();
        for (int i = 0; i < 1_000; i++)
        {
            node.Send(new Ripple.Engine.Protocol.Views.ViewRequest(region));
            node.Send(new Ripple.Engine.Protocol.CatchingUp.StateVectorRequest());
        }

        _host.Run();
        node.GoOn();
        _host.Run();
        Assert.InRange(node.Take<Ripple.Engine.Protocol.Views.ViewFull>().Count, 1, 10);
        Assert.InRange(node.Take<Ripple.Engine.Protocol.CatchingUp.StateVector>().Count, 1, 10);
    }

    [Fact]
    public void A_publish_that_is_announced_and_not_sent_gives_its_room_back_in_time()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        ControlCaller node = _host.Connect(CallRig.Publisher);
        caller.BeginPublish([("a", new string('x', 65_536))], withParts: false);
        for (int second = 0; second < 10; second++)
        {
            KeepAlive();
        }

        Assert.Empty(caller.Take<PublishResult>());
        Assert.True(_host.UploadBytes > 65_536);
        KeepAlive();
        KeepAlive();
        Refusals.Is(
            ErrorCode.Busy,
            "The values of the publish did not come in the time they may take. Try again with the same publish id.",
            Assert.Single(caller.Take<PublishResult>()));
        Assert.Equal(0, _host.UploadBytes);
        Assert.Equal(ErrorCode.None, node.Publish("a", "1").Code);

        void KeepAlive()
        {
            caller.Send(new WaitCancel(1));
            node.Send(new WaitCancel(1));
            _host.Run(1_000_000_000);
        }
    }
}
