using Ripple.Client.Spaces;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Regions;

namespace Ripple.Client.Tests.Spaces;

/// <summary>What the subscriptions of a client acknowledge, and when.</summary>
public sealed class SubscriptionsTests
{
    private readonly SpaceRig _client = new();

    [Fact]
    public void An_event_is_acknowledged_when_the_last_that_has_it_goes_on()
    {
        Subscription first = _client.Subscribe();
        Subscription second = _client.Subscribe();
        Deliver(1, first, second);

        Assert.False(Take(first).GoOn());
        _client.Hub.Pump();
        Assert.Empty(_client.Take<EventAck>());
        Assert.True(Take(second).GoOn());
        _client.Hub.Pump();
        Assert.Equal(1UL, Assert.Single(_client.Take<EventAck>()).Sequence);
    }

    [Fact]
    public void What_a_subscription_leaves_that_the_host_ended_is_acknowledged_when_its_reader_goes()
    {
        Subscription ended = _client.Subscribe();
        _client.Subscribe();
        Deliver(1, ended);
        _client.Hub.OnEnded(new SubscriptionEnded(SpaceRig.Shop, ended.Number, ErrorCode.InvalidRequest, "The space was changed."));
        Assert.Empty(_client.Take<EventAck>());

        Take(ended).GoOn();
        _client.Traffic.Subscriptions.Remove(ended);

        // Its emitter waits for that: nothing else may come for long.
        Assert.Equal(1UL, Assert.Single(_client.Take<EventAck>()).Sequence);
    }

    [Fact]
    public void A_host_that_was_busy_is_told_of_a_subscription_that_ends_before_it_is_sent_again()
    {
        Subscription refused = _client.Subscribe();
        _client.Hub.OnEnded(new SubscriptionEnded(SpaceRig.Shop, refused.Number, ErrorCode.Busy, "It is being read."));
        _client.Traffic.Subscriptions.Remove(refused);

        // The host would give nothing of what it keeps since its start, for it waits for all that were there.
        Assert.Equal(refused.Number, Assert.Single(_client.Take<Unsubscribe>()).Subscription);
    }

    [Fact]
    public void A_subscription_that_ends_while_the_connection_is_lost_ends_at_the_host_on_the_next()
    {
        Subscription kept = _client.Subscribe();
        Subscription ended = _client.Subscribe();
        _client.SendRoomBytes = 0;
        _client.Traffic.Subscriptions.Remove(ended);
        _client.SendRoomBytes = 1_048_576;
        _client.Take<Subscribe>();
        _client.Hub.OnJoined(1);

        // Of before, and no more sent: the session at the host outlives the connection, and had it.
        Assert.Equal(kept.Number, Assert.Single(_client.Take<Subscribe>()).Subscription);
        Assert.Equal(ended.Number, Assert.Single(_client.Take<Unsubscribe>()).Subscription);
    }

    private static Shown Take(Subscription subscription)
    {
        Assert.True(subscription.Events.Reader.TryRead(out (RippleEvent Event, Shown Shown) next));
        return next.Shown;
    }

    private void Deliver(ulong number, params Subscription[] subscriptions) => _client.Hub.OnDelivery(new EventDelivery(
        SpaceRig.Shop, number, 0, new NodeId(9, 9), 1, number, [.. subscriptions.Select(s => s.Number)], [], default));
}
