using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;

namespace Ripple.Gms.Tests.Calls;

/// <summary>A host beyond its own deadline, where another may lead: it answers no call, and takes nothing from its nodes.</summary>
public sealed class UnsureLeaderTests
{
    private readonly CallRig _host = new();
    private readonly ControlCaller _node;
    private readonly ControlCaller _caller;

    public UnsureLeaderTests()
    {
        _node = _host.Join("web-1");
        _caller = _host.Connect(CallRig.Publisher);
        Assert.Equal(1UL, _caller.Publish("a", "1").Release);
    }

    [Fact]
    public void It_neither_publishes_nor_says_that_something_conflicts_nor_what_there_is()
    {
        var id = Guid.NewGuid();
        Assert.Equal(2UL, _caller.Publish("a", "2", id).Release);
        _host.IsLeaseHeld = false;
        Unsure(_caller.Publish("a", "3").Code);
        Unsure(_caller.Publish("a", "3", expected: 1).Code);
        // What the ledger remembers is an answer too.
        Unsure(_caller.Publish("a", "2", id).Code);
        Unsure(_caller.Rollback(1).Code);
        _caller.Send(new ReadKey(_caller.NextCall(), CallRig.Shop, 0, "a"));
        Unsure(_caller.Answer<ReadKeyResult>().Code);
        _caller.Send(new Status(_caller.NextCall(), CallRig.Shop));
        Unsure(_caller.Answer<StatusResult>().Code);
        _caller.Send(new Wait(_caller.NextCall(), CallRig.Shop, 0, 1, "MIN($ALL.applied)", 0, false));
        Unsure(_caller.Answer<WaitResult>().Code);

        _host.IsLeaseHeld = true;
        Assert.Equal(2UL, _caller.Publish("a", "2", id).Release);
        Assert.Equal(3UL, _caller.Publish("a", "3").Release);
    }

    [Fact]
    public void A_publish_that_was_prepared_meanwhile_is_refused()
    {
        _host.HoldsPreparations = true;
        _caller.BeginPublish([("a", "2")]);
        _host.Run();
        _host.IsLeaseHeld = false;
        _host.Prepare();
        Unsure(_caller.Answer<PublishResult>().Code);
    }

    [Fact]
    public void A_wait_is_not_told_that_it_holds_before_the_host_is_sure_again()
    {
        _caller.Send(new Wait(7, CallRig.Shop, 0, 1, "MIN($ALL.applied)", 0, false));
        _host.Run();
        Assert.Empty(_caller.Take<WaitResult>());
        _host.IsLeaseHeld = false;
        _node.Report(1);
        _host.Run();
        Assert.Empty(_caller.Take<WaitResult>());
        _host.IsLeaseHeld = true;
        Assert.Equal(ErrorCode.None, _caller.Answer<WaitResult>().Code);
    }

    [Fact]
    public void Nobody_joins_and_members_stay()
    {
        _host.IsLeaseHeld = false;
        ControlCaller late = _host.Connect(CallRig.Node);
        late.Send(_host.JoinMessage("late"));
        Unsure(late.Answer<JoinRefused>().Code);
        _node.Send(new Heartbeat(1, default, []));
        _host.Run();
        Assert.Single(_node.Take<HeartbeatReply>());
        Assert.Null(_node.ClosedBecause);
    }

    private static void Unsure(ErrorCode code) => Assert.Equal(ErrorCode.Busy, code);
}
