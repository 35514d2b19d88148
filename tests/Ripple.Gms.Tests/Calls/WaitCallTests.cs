using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Calls;

/// <summary>Waits at the control door: how they begin, are bounded, and end.</summary>
public sealed class WaitCallTests
{
    private const string All = "MIN($ALL.applied)";
    private const byte Held = 0;
    private const byte CannotHold = 1;
    private const byte TimedOut = 2;
    private readonly CallRig _host = new();
    private readonly ControlCaller _node;
    private readonly ControlCaller _caller;

    public WaitCallTests()
    {
        _node = _host.Join("web-1");
        _caller = _host.Connect(CallRig.Publisher);
    }

    [Fact]
    public void A_wait_for_what_is_not_committed_does_not_begin()
    {
        Refusals.Is(ErrorCode.NotFound, "Release 1 of 'shop' is not committed; the newest is 0. Wait for a committed release.", Ended(1));
        _caller.Publish("a", "1");
        Refusals.Is(ErrorCode.NotFound, "Release 0 of 'shop' is not committed; the newest is 1. Wait for a committed release.", Ended(0));
        Refusals.Is(ErrorCode.NotFound, "Release 2 of 'shop' is not committed; the newest is 1. Wait for a committed release.", Ended(2));
        Assert.Equal(0, _host.WaitCount);
    }

    [Fact]
    public void A_wait_for_what_is_no_predicate_does_not_begin()
    {
        _caller.Publish("a", "1");
        WaitResult unread = Ended(1, "MIN(");
        Assert.Equal(ErrorCode.InvalidPredicate, unread.Code);
        Assert.StartsWith("The predicate is not one. At 4: ", unread.Text, StringComparison.Ordinal);
        WaitResult unbound = Ended(1, "MIN($ALL.tasted)");
        Assert.Equal(ErrorCode.InvalidPredicate, unbound.Code);
        Assert.StartsWith("The wait cannot begin. At ", unbound.Text, StringComparison.Ordinal);
        Assert.Equal(0, _host.WaitCount);
    }

    [Fact]
    public void Who_has_no_role_in_an_application_waits_for_nothing_of_it()
    {
        _caller.Publish("a", "1");
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token stranger does not allow this: it takes the role node in 'shop'. Ask an administrator to set it.",
            Ended(1, from: _host.Connect(CallRig.Stranger)));
        ControlCaller admin = _host.Connect(CallRig.Admin);
        admin.Send(new Wait(1, "nowhere", 0, 1, All, 0, false));
        Refusals.Is(
            ErrorCode.UnknownApplication,
            "There is no application 'nowhere'. Create it first, or look for a typing error.",
            admin.Answer<WaitResult>());
    }

    [Fact]
    public void So_many_waits_are_under_way_on_one_connection_and_no_more()
    {
        _caller.Publish("a", "1");
        var calls = new List<uint>();
        for (int i = 0; i < 256; i++)
        {
            calls.Add(Begin(1));
        }

        _host.Run();
        Assert.Empty(_caller.Take<WaitResult>());
        Assert.Equal(256, _host.WaitCount);
        Refusals.Is(ErrorCode.Busy, "More than 256 waits are under way on this connection. End some first.", Ended(1));
        _caller.Send(new WaitCancel(calls[0]));
        Begin(1);
        _host.Run();
        Assert.Empty(_caller.Take<WaitResult>());
        Assert.Equal(256, _host.WaitCount);
    }

    [Fact]
    public void So_many_waits_are_under_way_over_one_application_and_the_next_is_to_be_asked_again()
    {
        _caller.Publish("a", "1");
        // One token has half of them, and those of the application three quarters.
        Assert.Equal(2_048, Fill(CallRig.Node, 10));
        Assert.Equal(3_072, Fill(CallRig.Publisher, 6));
        Assert.Equal(4_096, Fill(CallRig.Admin, 6));
        Refusals.Is(ErrorCode.Busy, "4096 waits on 'shop' are under way. Try again when some have ended.", Ended(1));
    }

    private int Fill(string token, int connections)
    {
        for (int connection = 0; connection < connections; connection++)
        {
            ControlCaller caller = _host.Connect(token);
            for (uint call = 0; call < 256; call++)
            {
                caller.Send(new Wait(call, CallRig.Shop, 0, 1, All, 0, false));
            }
        }

        _host.Run();
        return _host.WaitCount;
    }

    [Fact]
    public void A_wait_that_is_cancelled_ends_without_an_answer()
    {
        _caller.Publish("a", "1");
        uint call = Begin(1);
        _host.Run();
        Assert.Equal(1, _host.WaitCount);
        _caller.Send(new WaitCancel(call));
        // Nothing of this name: nothing happens.
        _caller.Send(new WaitCancel(99));
        _host.Run();
        Assert.Equal(0, _host.WaitCount);
        _node.Report(1);
        Assert.Empty(_caller.Take<WaitResult>());
        // Its number is free.
        _caller.Send(new Wait(call, CallRig.Shop, 0, 1, All, 0, false));
        WaitResult ended = _caller.Answer<WaitResult>();
        Assert.Equal((call, Held), (ended.Call, ended.Outcome));
    }

    [Fact]
    public void A_wait_ends_with_the_right_it_began_with_and_says_so()
    {
        _caller.Publish("a", "1");
        uint call = Begin(1);
        ControlCaller admin = _host.Connect(CallRig.Admin);
        admin.Send(new Wait(9, CallRig.Shop, 0, 1, All, 0, false));
        _host.Run();
        _caller.Take<WaitProgress>();
        // The connection takes nothing of the application, and goes on.
        _host.Change(AccessTokenChange.Withdraw(CallRig.Publisher, CallRig.Shop, 5, "test"));
        WaitResult ended = Assert.Single(_caller.Take<WaitResult>());
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token publisher does not allow this: it takes the role node in 'shop'. Ask an administrator to set it.",
            ended);
        Assert.Equal((call, 0), (ended.Call, ended.Members.Count));
        Assert.Null(_caller.ClosedBecause);
        Assert.Equal(1, _host.WaitCount);
        Assert.Empty(admin.Take<WaitResult>());
    }

    [Fact]
    public void The_waits_of_a_connection_go_with_it()
    {
        _caller.Publish("a", "1");
        Begin(1);
        Begin(1);
        _host.Run();
        Assert.Equal(2, _host.WaitCount);
        _caller.Break();
        Assert.Equal(0, _host.WaitCount);
    }

    [Fact]
    public void A_wait_holds_when_all_have_it_and_tells_how_far_they_are()
    {
        ControlCaller other = _host.Join("web-2");
        _caller.Publish("a", "1");
        uint call = Begin(1);
        _host.Run();
        Assert.Equal([new WaitProgress(call, 0, 2, 1)], _caller.Take<WaitProgress>());
        _node.Report(1);
        Assert.Equal([new WaitProgress(call, 1, 2, 1)], _caller.Take<WaitProgress>());
        Assert.Empty(_caller.Take<WaitResult>());
        other.Report(1);
        WaitResult held = Assert.Single(_caller.Take<WaitResult>());
        Assert.Equal((call, ErrorCode.None, "", Held, 2u), (held.Call, held.Code, held.Text, held.Outcome, held.Total));
        Assert.Empty(held.Members);
        Assert.Equal(0, _host.WaitCount);
        // One that holds already ends at once.
        Assert.Equal(Held, Ended(1).Outcome);
    }

    [Fact]
    public void A_rejection_ends_a_wait_by_name_and_reason()
    {
        _host.Join("web-2");
        _caller.Publish("a", "1");
        uint call = Begin(1);
        _host.Run();
        _node.Report(0, (1, "the limit must be positive"));
        WaitResult ended = Assert.Single(_caller.Take<WaitResult>());
        Assert.Equal((call, ErrorCode.None, CannotHold, 2u), (ended.Call, ended.Code, ended.Outcome, ended.Total));
        Assert.Equal("1 of 2 members cannot get to release 1.", ended.Text);
        WaitMember stuck = Assert.Single(ended.Members);
        Assert.Equal(("web-1", 0UL, "rejected release 1: the limit must be positive"), (stuck.Name, stuck.Value, stuck.Reason));
    }

    [Fact]
    public void A_wait_ends_at_its_time_and_names_who_is_behind()
    {
        ControlCaller other = _host.Join("web-2");
        _caller.Publish("a", "1");
        other.Report(1);
        _caller.Send(new Wait(7, CallRig.Shop, 0, 1, All, 1_000, false));
        _host.Run(900_000_000);
        Assert.Empty(_caller.Take<WaitResult>());
        _host.Run(200_000_000);
        WaitResult ended = Assert.Single(_caller.Take<WaitResult>());
        Assert.Equal((7u, ErrorCode.None, TimedOut, 2u), (ended.Call, ended.Code, ended.Outcome, ended.Total));
        Assert.Equal("Not in time: the predicate is at release 0, and 1 of 2 members are behind release 1.", ended.Text);
        Assert.Equal(("web-1", ""), (Assert.Single(ended.Members).Name, ended.Members[0].Reason));
        Assert.Equal(0, _host.WaitCount);
    }

    [Fact]
    public void Who_left_is_left_out_unless_it_is_to_be_counted()
    {
        ControlCaller other = _host.Join("web-2");
        _caller.Publish("a", "1");
        _node.Report(1);
        other.Send(new Leave("it stops"));
        _host.Run();
        WaitResult held = Ended(1);
        Assert.Equal((Held, 1u), (held.Outcome, held.Total));
        Assert.Equal(("web-2", "left"), (Assert.Single(held.Discounted).Name, held.Discounted[0].Reason));
        _caller.Send(new Wait(_caller.NextCall(), CallRig.Shop, 0, 1, All, 0, true));
        WaitResult counted = _caller.Answer<WaitResult>();
        Assert.Equal((CannotHold, 2u, "1 of 2 members cannot get to release 1."), (counted.Outcome, counted.Total, counted.Text));
    }

    [Fact]
    public void A_wait_without_members_cannot_hold()
    {
        _caller.Publish("a", "1");
        _node.Break();
        WaitResult ended = Ended(1);
        Assert.Equal(
            (ErrorCode.None, CannotHold, 0u, "Every member left or failed."), (ended.Code, ended.Outcome, ended.Total, ended.Text));
    }

    [Fact]
    public void A_wait_is_for_those_who_were_members_when_its_release_was_committed()
    {
        _caller.Publish("a", "1");
        _host.Join("late");
        _node.Report(1);
        WaitResult held = Ended(1);
        Assert.Equal((Held, 1u), (held.Outcome, held.Total));
        // Of the next release the later one is a member too.
        _caller.Publish("a", "2");
        _node.Report(2);
        Begin(2);
        _host.Run();
        Assert.Empty(_caller.Take<WaitResult>());
        Assert.Equal(2u, _caller.Take<WaitProgress>()[^1].Total);
    }

    [Fact]
    public void A_host_that_restarted_waits_for_those_who_were_members_at_the_commit_and_not_for_who_is_back_first()
    {
        ControlCaller second = _host.Join("web-2");
        _caller.Publish("a", "1");
        _host.Restart();
        ControlCaller late = _host.Join("late");
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        caller.Send(new Wait(1, CallRig.Shop, 0, 1, All, 0, false));
        _host.Run();
        // Nobody of them is back yet.
        Assert.Equal([new WaitProgress(1, 0, 2, 1)], caller.Take<WaitProgress>());
        late.Report(1);
        ControlCaller first = _host.JoinAgain(_node, "web-1");
        first.Report(1);
        Assert.Equal([new WaitProgress(1, 1, 2, 1)], caller.Take<WaitProgress>());
        Assert.Empty(caller.Take<WaitResult>());
        _host.JoinAgain(second, "web-2").Report(1);
        WaitResult ended = Assert.Single(caller.Take<WaitResult>());
        Assert.Equal((ErrorCode.None, Held, 2u), (ended.Code, ended.Outcome, ended.Total));
    }

    private uint Begin(ulong release, string predicate = All)
    {
        uint call = _caller.NextCall();
        _caller.Send(new Wait(call, CallRig.Shop, 0, release, predicate, 0, false));
        return call;
    }

    private WaitResult Ended(ulong release, string predicate = All, ControlCaller? from = null)
    {
        ControlCaller caller = from ?? _caller;
        caller.Send(new Wait(caller.NextCall(), CallRig.Shop, 0, release, predicate, 0, false));
        return caller.Answer<WaitResult>();
    }
}
