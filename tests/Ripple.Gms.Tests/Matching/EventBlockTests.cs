using Ripple.Engine.Matching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Protocol.Joining;
using Ripple.Gms.Tests.Calls;

namespace Ripple.Gms.Tests.Matching;

/// <summary>Subscribers that have emitters wait instead of losing events.</summary>
public sealed class EventBlockTests
{
    private const string Wait = "A subscriber of 'shop' that asked emitters to wait has no room for the event. Try again.";
    // Short: a node that says nothing for some seconds is taken for gone.
    private const long BlockNs = 500_000_000;

    private readonly CallRig _host = new(Options(BlockNs));
    private readonly ControlCaller _emitter;
    private readonly ControlCaller _slow;
    private readonly ControlCaller _other;
    private readonly List<ulong> _taken = [];

    public EventBlockTests()
    {
        (_emitter, _slow, _other) = Begin(_host);
        Subscribe(_slow, from: 0, to: 10, blocks: true);
        Subscribe(_other, from: 0, to: 100, blocks: false);
    }

    [Fact]
    public void Emitters_of_what_it_wants_wait_until_it_goes_on_and_nothing_is_lost()
    {
        Fill();
        Assert.Equal(Wait, Emit(5, price: 1).Text);
        Assert.Equal(EmitStage.Matched, Emit(6, price: 50).Stage);
        Assert.Equal([1UL, 2UL, 3UL, 4UL, 6UL], _taken);
        Assert.Equal(1, _host.Counters.EventsHeld);

        Ack(_slow, Assert.Single(_slow.Take<EventDelivery>(), d => d.Number == 2));
        Assert.Equal((ErrorCode.None, EmitStage.Matched, 2u), Told(Emit(5, price: 1)));
        Assert.Equal(5UL, _taken[^1]);
        Assert.Equal([3UL, 4UL], Take(_slow));
        Assert.Equal([5UL], Take(_slow));
        Assert.Equal(0, _host.Counters.EventsDropped);
    }

    [Fact]
    public void Who_acknowledges_nothing_for_long_is_not_waited_for_until_half_of_its_queue_is_free()
    {
        Fill();
        Assert.Equal(ErrorCode.Busy, Emit(5, price: 1).Code);
        _host.Run(BlockNs / 5);
        Assert.Equal(ErrorCode.Busy, Emit(5, price: 1).Code);
        _host.Run(BlockNs / 2);
        Assert.Equal(ErrorCode.None, Emit(5, price: 1).Code);
        Assert.Equal(ErrorCode.None, Emit(6, price: 1).Code);
        Assert.Equal(2, _host.Counters.EventsDropped);

        // One is taken, one comes: the queue is full again, and drops.
        EventDelivery[] sent = [.. _slow.Take<EventDelivery>()];
        Ack(_slow, sent[0]);
        Emit(7, price: 1);
        Assert.Equal(ErrorCode.None, Emit(8, price: 1).Code);
        Assert.Equal(3, _host.Counters.EventsDropped);

        Ack(_slow, sent[1]);
        Ack(_slow, _slow.Take<EventDelivery>()[^1]);
        for (ulong number = 9; number <= 11; number++)
        {
            Assert.Equal(ErrorCode.None, Emit(number, price: 1).Code);
        }

        Assert.Equal(ErrorCode.Busy, Emit(12, price: 1).Code);
        Assert.Equal(3, _host.Counters.EventsDropped);
    }

    [Fact]
    public void The_time_of_several_runs_at_once()
    {
        ControlCaller third = _host.Join("third");
        Subscribe(third, from: 0, to: 10, blocks: true);
        Fill();
        Assert.Equal(ErrorCode.Busy, Emit(5, price: 1).Code);
        _host.Run(BlockNs + 1_000_000);
        Assert.Equal(ErrorCode.None, Emit(5, price: 1).Code);
    }

    [Fact]
    public void One_whose_connection_is_lost_holds_nobody_up_for_longer_and_one_that_leaves_for_no_time()
    {
        Fill();
        _slow.Break();
        Assert.Equal(ErrorCode.Busy, Emit(5, price: 1).Code);
        _host.Run(BlockNs + 1_000_000);
        Assert.Equal(ErrorCode.None, Emit(5, price: 1).Code);

        ControlCaller third = _host.Join("third");
        Subscribe(third, from: 20, to: 30, blocks: true);
        for (ulong number = 6; number < 10; number++)
        {
            Emit(number, price: 25);
        }

        Assert.Equal(ErrorCode.Busy, Emit(10, price: 25).Code);
        third.Send(new Leave("done"));
        _host.Run();
        Assert.Equal(ErrorCode.None, Emit(10, price: 25).Code);
    }

    [Fact]
    public void It_ends_with_the_last_subscription_that_asks_for_it()
    {
        _slow.Send(new Subscribe(CallRig.Shop, 7, 2, IsResumed: false, HasMore: false, Blocks: false, [Price(0, 10)]));
        _host.Run();
        Fill();
        Assert.Equal(ErrorCode.Busy, Emit(5, price: 1).Code);
        _slow.Send(new Unsubscribe(CallRig.Shop, 1));
        _host.Run();
        Assert.Equal(ErrorCode.None, Emit(5, price: 1).Code);
        Assert.Equal(1, _host.Counters.EventsDropped);
    }

    [Fact]
    public void A_host_that_lets_nobody_hold_up_emitters_refuses_it()
    {
        var host = new CallRig(Options(blockNs: 0));
        (_, ControlCaller subscriber, _) = Begin(host);
        subscriber.Send(new Subscribe(CallRig.Shop, 7, 1, IsResumed: false, HasMore: false, Blocks: true, []));
        host.Run();
        SubscriptionEnded refused = Assert.Single(subscriber.Take<SubscriptionEnded>());
        Assert.Equal(
            (ErrorCode.InvalidRequest, "Nobody holds up emitters at this host (its BlockNs is 0). Subscribe without asking for it."),
            (refused.Code, refused.Text));
    }

    private static GmsOptions Options(long blockNs) => new()
    {
        Events = new GmsEventOptions { WindowEventsMax = 2, QueueEventsMax = 4, BlockNs = blockNs },
    };

    private static (ControlCaller Emitter, ControlCaller Slow, ControlCaller Other) Begin(CallRig host)
    {
        ControlCaller admin = host.Connect(CallRig.Admin);
        Assert.Equal(ErrorCode.None, admin.Publish("space", "price:integer:0..100", application: "$shop").Code);
        return (host.JoinAs(CallRig.Publisher, "emitter"), host.Join("slow"), host.Join("other"));
    }

    private static NamedRange Price(long from, long to) => new("price", AttributeValue.Integer(from), AttributeValue.Integer(to));

    private static (ErrorCode Code, EmitStage Stage, uint Matched) Told(EmitResult told) => (told.Code, told.Stage, told.Matched);

    private void Subscribe(ControlCaller caller, long from, long to, bool blocks)
    {
        caller.Send(new Subscribe(CallRig.Shop, 7, 1, IsResumed: false, HasMore: false, blocks, [Price(from, to)]));
        _host.Run();
    }

    /// <summary>Two are sent to the slow one and two wait; the other takes all.</summary>
    private void Fill()
    {
        for (ulong number = 1; number <= 4; number++)
        {
            Assert.Equal(ErrorCode.None, Emit(number, price: 1).Code);
        }
    }

    /// <summary>Emits, has the other take it, and returns what was first told.</summary>
    private EmitResult Emit(ulong number, long price)
    {
        _emitter.Take<EmitResult>();
        _emitter.Send(new Emit(CallRig.Shop, 1, number, [new NamedValue("price", AttributeValue.Integer(price))], default));
        _host.Run();
        EmitResult told = Assert.Single(_emitter.Take<EmitResult>(), r => r.Sequence == number);
        foreach (EventDelivery delivery in _other.Take<EventDelivery>())
        {
            // The host takes it with what comes next.
            _taken.Add(delivery.Number);
            _other.Send(new EventAck(CallRig.Shop, delivery.Sequence));
        }

        return told;
    }

    /// <summary>Takes what was sent, and acknowledges it; the numbers of the events.</summary>
    private ulong[] Take(ControlCaller caller)
    {
        EventDelivery[] taken = [.. caller.Take<EventDelivery>()];
        if (taken.Length > 0)
        {
            Ack(caller, taken[^1]);
        }

        return [.. taken.Select(d => d.Number)];
    }

    private void Ack(ControlCaller caller, EventDelivery delivery)
    {
        caller.Send(new EventAck(CallRig.Shop, delivery.Sequence));
        _host.Run();
    }
}
