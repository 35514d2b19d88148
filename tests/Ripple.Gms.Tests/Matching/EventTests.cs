using Ripple.Engine.Matching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Protocol.Joining;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Calls;

namespace Ripple.Gms.Tests.Matching;

/// <summary>Events as nodes have them on the control channel: emitted, matched, delivered, acknowledged.</summary>
public sealed class EventTests
{
    private const string Companion = "$shop";
    private const string SpaceOfTrades = "price:real:0..1000:USD volume:integer:0..1e6";
    private const ulong Session = 7;

    private readonly CallRig _host = new(new GmsOptions
    {
        Events = new GmsEventOptions { WindowEventsMax = 2, QueueEventsMax = 4, BoxesPerSubscriberMax = 3, GraceNs = 2_000_000_000 },
    });

    private readonly ControlCaller _admin;
    private readonly ControlCaller _emitter;
    private readonly ControlCaller _subscriber;
    private ulong _number;

    public EventTests()
    {
        _admin = _host.Connect(CallRig.Admin);
        Define(SpaceOfTrades);
        _emitter = _host.JoinAs(CallRig.Publisher, "emitter");
        _subscriber = _host.Join("subscriber");
    }

    [Fact]
    public void An_event_reaches_the_boxes_that_have_it_once_a_session_and_is_delivered_when_it_was_taken()
    {
        Subscribe(_subscriber, 1, Price(10, 20));
        Subscribe(_subscriber, 2, Price(15, 16));
        Subscribe(_subscriber, 3, Price(20, 30));

        Emit(15);
        EmitResult matched = Assert.Single(_emitter.Take<EmitResult>());
        Assert.Equal((EmitStage.Matched, 1u, ErrorCode.None), (matched.Stage, matched.Matched, matched.Code));
        EventDelivery delivery = Assert.Single(_subscriber.Take<EventDelivery>());
        Assert.Equal([1u, 2u], delivery.Subscriptions);
        Assert.Equal((1UL, 1UL, 0UL), (delivery.Epoch, delivery.Number, delivery.Dropped));
        Assert.Equal("15", Assert.Single(delivery.Values, v => v.Name == "price").Value.ToString());
        Assert.Equal([9], delivery.Payload.ToArray());

        Ack(_subscriber, delivery);
        Assert.Equal(EmitStage.Delivered, Assert.Single(_emitter.Take<EmitResult>()).Stage);
        Assert.Equal((0, 0L), (_host.Space!.LiveCount, _host.EventBytes));
    }

    [Fact]
    public void What_nobody_wants_is_delivered_at_once()
    {
        Subscribe(_subscriber, 1, Price(10, 20));
        Emit(20);
        EmitResult result = Assert.Single(_emitter.Take<EmitResult>());
        Assert.Equal((EmitStage.Delivered, 0u), (result.Stage, result.Matched));
        Assert.Empty(_subscriber.Take<EventDelivery>());
    }

    [Fact]
    public void An_event_that_is_emitted_again_while_it_is_under_way_is_not_delivered_twice()
    {
        Subscribe(_subscriber, 1, Price(10, 20));
        Emit(15);
        _number--;
        Emit(15);
        Assert.Equal([EmitStage.Matched, EmitStage.Matched], _emitter.Take<EmitResult>().Select(r => r.Stage));
        Assert.Single(_subscriber.Take<EventDelivery>());
    }

    [Fact]
    public void The_window_stops_at_its_events_and_a_full_queue_drops_its_oldest_and_says_so()
    {
        Subscribe(_subscriber, 1, Price(0, 1000));
        for (int i = 0; i < 6; i++)
        {
            Emit(i);
        }

        // Two are sent, two wait, and of the six the third and fourth had to go: that is delivered, as far as an emitter can tell.
        EventDelivery[] sent = [.. _subscriber.Take<EventDelivery>()];
        Assert.Equal([1UL, 2UL], sent.Select(d => d.Number));
        Assert.Equal([3UL, 4UL], _emitter.Take<EmitResult>().Where(r => r.Stage == EmitStage.Delivered).Select(r => r.Sequence));
        Ack(_subscriber, sent[1]);
        EventDelivery[] rest = [.. _subscriber.Take<EventDelivery>()];
        Assert.Equal([(5UL, 2UL), (6UL, 2UL)], rest.Select(d => (d.Number, d.Dropped)));
    }

    [Fact]
    public void A_subscriber_that_takes_nothing_costs_itself_alone()
    {
        ControlCaller other = _host.Join("other");
        Subscribe(_subscriber, 1, Price(0, 1000));
        Subscribe(other, 1, Price(0, 1000));
        _subscriber.Stop();
        for (int i = 0; i < 6; i++)
        {
            Emit(i);
            Ack(other, Assert.Single(other.Take<EventDelivery>()));
        }

        Assert.InRange(_host.Space!.LiveCount, 1, 4);
    }

    [Fact]
    public void What_was_not_acknowledged_is_sent_again_on_the_next_connection_and_the_rest_follows()
    {
        Subscribe(_subscriber, 1, Price(0, 1000));
        for (int i = 0; i < 4; i++)
        {
            Emit(i);
        }

        EventDelivery first = _subscriber.Take<EventDelivery>()[0];
        Ack(_subscriber, first);
        _subscriber.Break();
        ControlCaller again = _host.JoinAgain(_subscriber, "subscriber");
        Subscribe(again, 1, Price(0, 1000), isResumed: true);
        EventDelivery[] sent = [.. again.Take<EventDelivery>()];
        Assert.Equal([2UL, 3UL], sent.Select(d => d.Number));
        Ack(again, sent[1]);
        Assert.Equal([4UL], again.Take<EventDelivery>().Select(d => d.Number));
    }

    [Fact]
    public void Who_leaves_is_gone_and_who_is_only_cut_off_is_not_while_the_host_stops_either()
    {
        Subscribe(_subscriber, 1, Price(0, 1000));
        Emit(1);
        _emitter.Take<EmitResult>();
        _subscriber.Send(new Leave("done"));
        _host.Run();
        Assert.Equal(EmitStage.Delivered, Assert.Single(_emitter.Take<EmitResult>()).Stage);

        ControlCaller other = _host.Join("other");
        Subscribe(other, 1, Price(0, 1000));
        Emit(2);
        _emitter.Take<EmitResult>();
        _host.Stop();
        Assert.Empty(_emitter.Take<EmitResult>());
    }

    [Fact]
    public void A_session_whose_connection_is_lost_is_forgotten_after_the_grace()
    {
        Subscribe(_subscriber, 1, Price(0, 1000));
        Emit(1);
        _subscriber.Break();
        Assert.Equal((1, 1), (_host.Space!.BoxCount, _host.Space.LiveCount));
        Assert.Equal(EmitStage.Matched, _emitter.Take<EmitResult>()[^1].Stage);
        _host.Run(3_000_000_000);
        Assert.Equal((0, 0), (_host.Space!.BoxCount, _host.Space.LiveCount));
    }

    [Fact]
    public void After_a_start_emits_are_kept_and_given_to_those_that_come_back_and_delivered_waits_for_the_grace()
    {
        Subscribe(_subscriber, 1, Price(0, 1000));
        Subscribe(_subscriber, 2, Price(0, 10));
        _host.Restart();
        ControlCaller emitter = _host.JoinAs(CallRig.Publisher, "emitter", _emitter.Number);
        Emit(5, emitter);
        Assert.Equal(EmitStage.Accepted, Assert.Single(emitter.Take<EmitResult>()).Stage);

        // Events wait for the last of its subscriptions, so that one delivery names them all.
        ControlCaller back = _host.JoinAgain(_subscriber, "subscriber");
        back.Send(new Subscribe(CallRig.Shop, Session, 1, IsResumed: true, HasMore: true, Blocks: false, [Price(0, 1000)]));
        _host.Run(300_000_000);
        Assert.Empty(back.Take<EventDelivery>());
        Subscribe(back, 2, Price(0, 10), isResumed: true);
        _host.Run(300_000_000);
        EventDelivery delivery = Assert.Single(back.Take<EventDelivery>());
        Assert.Equal([1u, 2u], delivery.Subscriptions);
        Ack(back, delivery);
        Assert.Empty(emitter.Take<EmitResult>());

        _host.Run(1_500_000_000);
        Assert.Equal(EmitStage.Delivered, Assert.Single(emitter.Take<EmitResult>()).Stage);
        Assert.False(_host.Space!.IsInGrace);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_is_kept_waits_for_subscriptions_of_before_that_were_told_to_come_again(bool isNewOneOfBefore)
    {
        Subscribe(_subscriber, 1, Price(0, 10));
        ControlCaller back = RefuseAfterRestart(1);

        // Another finds the space there, and is no session by itself.
        ControlCaller emitter = _host.JoinAs(CallRig.Publisher, "emitter", _emitter.Number);
        Subscribe(back, 2, Price(0, 1000), isNewOneOfBefore);
        Emit(5, emitter);
        _host.Run(300_000_000);
        Assert.Empty(back.Take<EventDelivery>());
        Subscribe(back, 1, Price(0, 10), isResumed: true);
        _host.Run(300_000_000);
        Assert.Equal([1u, 2u], Assert.Single(back.Take<EventDelivery>()).Subscriptions);
        Emit(6, emitter);
        Assert.Equal([1u, 2u], Assert.Single(back.Take<EventDelivery>()).Subscriptions);
    }

    [Fact]
    public void What_is_kept_waits_for_no_subscription_that_has_ended_since()
    {
        Subscribe(_subscriber, 1, Price(0, 10));
        ControlCaller back = RefuseAfterRestart(1);
        ControlCaller emitter = _host.JoinAs(CallRig.Publisher, "emitter", _emitter.Number);
        Subscribe(back, 2, Price(0, 1000));
        Emit(5, emitter);
        back.Send(new Unsubscribe(CallRig.Shop, 1));
        _host.Run(300_000_000);
        Assert.Equal([2u], Assert.Single(back.Take<EventDelivery>()).Subscriptions);
    }

    [Fact]
    public void A_space_that_is_set_after_the_start_has_no_grace_and_one_of_before_has()
    {
        Assert.False(_host.Space!.IsInGrace);
        _host.Restart();
        _host.Run();
        Assert.True(_host.Space!.IsInGrace);
    }

    [Fact]
    public void Another_space_ends_the_subscriptions_that_do_not_fit_in_it_with_the_reason_and_keeps_the_others()
    {
        Subscribe(_subscriber, 1, Price(10, 20));
        Subscribe(_subscriber, 2, Price(900, 1000));
        Define("price:real:0..500 depth:integer:0..10");
        SubscriptionEnded ended = Assert.Single(_subscriber.Take<SubscriptionEnded>());
        Assert.Equal((2u, ErrorCode.InvalidRequest), (ended.Subscription, ended.Code));
        Assert.StartsWith(
            "The space of 'shop' was changed, and the subscription is not in it. The range of 'price' is [900, 1000), which is not within ",
            ended.Text,
            StringComparison.Ordinal);
        Assert.Equal(1, _host.Space!.BoxCount);
        _emitter.Send(new Emit(CallRig.Shop, 1, 1, [Real("price", 15), Whole("depth", 1)], default));
        _host.Run();
        Assert.Equal([1u], Assert.Single(_subscriber.Take<EventDelivery>()).Subscriptions);
    }

    [Fact]
    public void A_space_that_is_removed_ends_all_subscriptions()
    {
        Subscribe(_subscriber, 1, Price(10, 20));
        Assert.Equal(ErrorCode.None, _admin.Publish("space", null, application: Companion).Code);
        SubscriptionEnded ended = Assert.Single(_subscriber.Take<SubscriptionEnded>());
        Assert.Equal((ErrorCode.NotFound, "The space of 'shop' was removed."), (ended.Code, ended.Text));
        Emit(15);
        Assert.Equal(ErrorCode.NotFound, Assert.Single(_emitter.Take<EmitResult>()).Code);
    }

    [Theory]
    [InlineData("price", double.NaN, "'price' is NaN. Give a finite number within [0, 1000) USD.")]
    [InlineData("price", double.PositiveInfinity, "'price' is Infinity. Give a finite number within [0, 1000) USD.")]
    [InlineData("price", 1000, "'price' is 1000, which is not within [0, 1000) USD. Give a value that is.")]
    [InlineData("volume", 1.5, "'volume' is 1.5, of kind Real, and the dimension is of kind Integer. Give a value of that kind.")]
    [InlineData("colour", 1, "The event has 'colour', which is no dimension of the space. The dimensions are 'price', 'volume'.")]
    public void A_value_that_is_not_in_the_space_is_refused_by_name(string name, double value, string text)
    {
        NamedValue[] values = [.. new[] { Real("price", 1), Whole("volume", 1) }.Where(v => v.Name != name), Real(name, value)];
        _emitter.Send(new Emit(CallRig.Shop, 1, 1, values, default));
        _host.Run();
        EmitResult refused = Assert.Single(_emitter.Take<EmitResult>());
        Assert.Equal((ErrorCode.InvalidRequest, text), (refused.Code, refused.Text));
    }

    [Fact]
    public void A_missing_value_and_a_range_outside_are_refused_by_name()
    {
        _emitter.Send(new Emit(CallRig.Shop, 1, 1, [Real("price", 1)], default));
        _host.Run();
        Assert.Equal("The event has no 'volume'. Give a value for every dimension.", Assert.Single(_emitter.Take<EmitResult>()).Text);
        Subscribe(_subscriber, 1, Price(900, 1001));
        Assert.StartsWith(
            "The range of 'price' is [900, 1001), which is not within ",
            Assert.Single(_subscriber.Take<SubscriptionEnded>()).Text,
            StringComparison.Ordinal);
        Assert.Empty(_host.Space!.Sessions);
    }

    [Fact]
    public void It_takes_a_publisher_to_emit_and_a_node_to_subscribe()
    {
        Emit(1, _subscriber);
        Assert.Equal(ErrorCode.NotAllowed, Assert.Single(_subscriber.Take<EmitResult>()).Code);
        Subscribe(_subscriber, 1, Price(0, 1000));
        _host.Change(AccessTokenChange.Revoke(CallRig.Node, 5, "test"));
        Assert.Equal(0, _host.Space!.BoxCount);
    }

    [Fact]
    public void A_subscriber_has_so_many_boxes_and_gives_their_places_back()
    {
        for (uint number = 1; number <= 4; number++)
        {
            Subscribe(_subscriber, number, Price(0, 1000));
        }

        SubscriptionEnded refused = Assert.Single(_subscriber.Take<SubscriptionEnded>());
        Assert.Equal(
            (4u, ErrorCode.TooLarge, "A subscriber has 3 subscriptions at most. End some, or use wider ranges."),
            (refused.Subscription, refused.Code, refused.Text));
        _subscriber.Send(new Unsubscribe(CallRig.Shop, 1));
        Subscribe(_subscriber, 4, Price(0, 1000));
        Assert.Empty(_subscriber.Take<SubscriptionEnded>());
        Assert.Equal(3, _host.Space!.BoxCount);
    }

    [Theory]
    [InlineData("price:real:0..1000 price:real:0..1", "The space is not one. Dimension 'price' is there twice. ")]
    [InlineData("price:real:0..NaN", "The space is not one. The range of dimension 'price' is [0, NaN). Give two finite numbers.")]
    [InlineData("price:money:0..1", "The space is not one. 'price:money:0..1' has no kind. ")]
    [InlineData("price:real", "The space is not one. 'price:real' has no range. ")]
    [InlineData("", "The space is not one. The space has 0 dimensions. Give it 1 to 16.")]
    public void What_is_no_space_is_refused_before_it_is_ordered(string text, string begin)
    {
        var result = _admin.Publish("space", text, application: Companion);
        Assert.Equal(ErrorCode.InvalidRequest, result.Code);
        Assert.StartsWith(begin, result.Text, StringComparison.Ordinal);
    }

    /// <summary>
    /// Starts the host again, and has the subscriber come back with a subscription while the space is being read: it is told to come again.
    /// </summary>
    private ControlCaller RefuseAfterRestart(uint number)
    {
        _host.FlipValues(true);
        _host.Restart();
        ControlCaller back = _host.JoinAgain(_subscriber, "subscriber");
        Subscribe(back, number, Price(0, 10), isResumed: true);
        Assert.Equal(ErrorCode.Busy, Assert.Single(back.Take<SubscriptionEnded>()).Code);
        _host.FlipValues(false);
        _host.Run(300_000_000);
        Assert.True(_host.Space!.IsInGrace);
        return back;
    }

    private static NamedRange Price(double from, double to) => new("price", AttributeValue.Real(from), AttributeValue.Real(to));

    private static NamedValue Real(string name, double value) => new(name, AttributeValue.Real(value));

    private static NamedValue Whole(string name, long value) => new(name, AttributeValue.Integer(value));

    private void Define(string space) => Assert.Equal(ErrorCode.None, _admin.Publish("space", space, application: Companion).Code);

    private void Subscribe(ControlCaller caller, uint number, NamedRange range, bool isResumed = false)
    {
        caller.Send(new Subscribe(CallRig.Shop, Session, number, isResumed, HasMore: false, Blocks: false, [range]));
        _host.Run();
    }

    private void Emit(long price, ControlCaller? emitter = null)
    {
        (emitter ?? _emitter).Send(new Emit(CallRig.Shop, 1, ++_number, [Whole("price", price), Whole("volume", 1)], new byte[] { 9 }));
        _host.Run();
    }

    private void Ack(ControlCaller caller, EventDelivery delivery)
    {
        caller.Send(new EventAck(CallRig.Shop, delivery.Sequence));
        _host.Run();
    }
}
