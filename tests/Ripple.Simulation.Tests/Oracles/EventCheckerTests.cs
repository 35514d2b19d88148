using Ripple.Client;
using Ripple.Engine.Matching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Regions;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Oracles.Events;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Tests.Oracles;

public sealed class EventCheckerTests
{
    private static readonly EventBox Narrow = new(10, 20, 0, EventBox.Values);

    private readonly SimulatedWorld _world = new(1);
    private readonly SimulatedMachine _host;
    private readonly SimulatedMachine _emitter;
    private readonly SimulatedMachine _machine;
    private object? _connection = new();

    public EventCheckerTests()
    {
        _host = _world.AddHost("host");
        _emitter = _world.AddNode("emitter");
        _machine = _world.AddNode("subscriber");
        _host.Start();
        _emitter.Start();
        _machine.Start();
        _world.RunFor(2 * World.Second);
    }

    [Fact]
    public void What_was_not_emitted_comes_twice_or_is_out_of_range_is_seen()
    {
        EventChecker book = Book();
        SubscriptionRecord subscription = Subscribe(book);
        EventRecord inside = Emit(book, 15);
        Show(book, subscription, inside);

        Fails("shown event 0 of emitter at 15, 0 twice", () => Show(book, subscription, inside));
        Fails("which its ranges", () => Show(book, subscription, Emit(book, 20)));
        Fails("which nobody emitted", () => book.OnShown(subscription, Event(7, 15, EventPayload.Of(7))));
        Fails("with other values", () => book.OnShown(subscription, Event(2, 16, EventPayload.Of(Emit(book, 15).Number))));
        Fails("less of what it carries", () =>
        {
            EventRecord emitted = Emit(book, 15);
            book.OnShown(subscription, Event(emitted.Number, 15, EventPayload.Of(emitted.Number).AsMemory()[..4]));
        });
    }

    [Fact]
    public void Who_is_told_that_an_event_is_delivered_was_not_lied_to()
    {
        EventChecker book = Book();
        SubscriptionRecord subscription = Prove(book);
        EventRecord emitted = Emit(book, 15);

        Tell(book, emitted, EmitUntil.Accepted);
        Tell(book, Emit(book, 30), EmitUntil.Delivered);
        Fails("was not shown it", () => Tell(book, emitted, EmitUntil.Delivered));
        Show(book, subscription, emitted);
        Tell(book, emitted, EmitUntil.Delivered);
    }

    [Fact]
    public void Who_misses_what_was_accepted_is_seen_unless_it_was_away_or_the_event_died_with_its_emitter_and_its_host()
    {
        EventChecker book = Book();
        Prove(book);
        Emit(book, 30);
        Fails("was never told", book.CheckEnd);

        book = Book();
        Prove(book);
        Tell(book, Emit(book, 15), EmitUntil.Accepted);
        Fails("missed event 1", book.CheckEnd);

        book = Book();
        SubscriptionRecord away = Prove(book);
        Tell(book, Emit(book, 15), EmitUntil.Accepted);
        _world.RunFor(9 * World.Second);
        book.OnTurn(away.Subscriber, isJoined: true);
        book.CheckEnd();

        book = Book();
        Prove(book);
        Tell(book, Emit(book, 15), EmitUntil.Accepted);
        _emitter.Crash();
        Fails("missed event 1", book.CheckEnd);
        _host.Crash();
        _host.Start();
        book.CheckEnd();
    }

    [Fact]
    public void What_is_dropped_must_be_told_and_no_more_where_there_is_room()
    {
        EventChecker book = Book(mayDrop: true);
        SubscriptionRecord subscription = Prove(book);
        Tell(book, Emit(book, 15), EmitUntil.Delivered);
        Fails("missed event 1", book.CheckEnd);
        Show(book, subscription, Tell(book, Emit(book, 16), EmitUntil.Delivered), dropped: 1);
        book.CheckEnd();

        EventChecker roomy = Book();
        Fails("there was room for all", () => Show(roomy, Subscribe(roomy), Emit(roomy, 15), dropped: 1));
    }

    [Fact]
    public void What_was_accepted_first_comes_first_within_a_life_of_the_host()
    {
        EventChecker book = Book();
        SubscriptionRecord subscription = Subscribe(book);
        EventRecord first = Tell(book, Emit(book, 15), EmitUntil.Accepted);
        _world.RunFor(World.Ms);
        EventRecord second = Tell(book, Emit(book, 16), EmitUntil.Accepted);
        Show(book, subscription, second);

        Fails("which was emitted later", () => Show(book, subscription, first));
    }

    [Fact]
    public void Who_began_after_an_event_may_be_given_it_late_if_its_emitter_lost_its_connection_and_who_was_there_may_not()
    {
        EventChecker book = Book();
        SubscriptionRecord before = Prove(book);
        SubscriptionRecord since = Subscribe(book);
        _world.RunFor(World.Ms);
        EventRecord first = Tell(book, Emit(book, 15), EmitUntil.Accepted);
        _world.RunFor(World.Ms);
        EventRecord second = Tell(book, Emit(book, 16), EmitUntil.Accepted);
        Show(book, before, second);
        Show(book, since, second);

        _connection = null;
        Fails("which was emitted later", () => Show(book, before, first));
        Show(book, since, first);
    }

    [Fact]
    public void Nothing_is_refused_once_the_space_is_there()
    {
        EventChecker book = Book();
        var refusal = new RippleException(ErrorCode.NotFound, "There is no space.");
        long before = _world.Scheduler.NowNs;
        book.OnRefused(_emitter, refusal, before);
        _world.RunFor(World.Second);
        book.OnSpace(true);
        Fails("was refused", () => book.OnRefused(_emitter, refusal, _world.Scheduler.NowNs));
        Fails("was refused", () => book.OnRefused(_emitter, new RippleException(ErrorCode.InvalidRequest, "No."), before));
    }

    [Fact]
    public void What_was_said_before_the_space_was_there_may_be_read_behind_a_pause_and_no_later()
    {
        EventChecker book = Book();
        Subscribe(book);
        var refusal = new RippleException(ErrorCode.NotFound, "There is no space.");
        long asked = _world.Scheduler.NowNs;
        _world.RunFor(World.Second);
        book.OnSpace(true);
        book.OnRefused(_machine, refusal, asked);

        // It has been without a disturbance since, and has read all that was said before.
        _world.RunFor(2 * World.Second);
        book.OnTurn(book.OnStarted(_machine), isJoined: true);
        Fails("was refused", () => book.OnRefused(_machine, refusal, asked));

        book.OnSpace(false);
        book.OnRefused(_machine, refusal, _world.Scheduler.NowNs);
    }

    private EventChecker Book(bool mayDrop = false) => new(_world, _host, new EventRules(mayDrop));

    private SubscriptionRecord Subscribe(EventChecker book)
    {
        SubscriberRecord subscriber = book.OnStarted(_machine);
        book.OnTurn(subscriber, isJoined: true);
        var subscription = new SubscriptionRecord(subscriber, Narrow);
        subscriber.Subscriptions.Add(subscription);
        return subscription;
    }

    /// <summary>Subscribes, and shows an event, which proves that a host knows of it.</summary>
    private SubscriptionRecord Prove(EventChecker book)
    {
        SubscriptionRecord subscription = Subscribe(book);
        Show(book, subscription, Tell(book, Emit(book, 15), EmitUntil.Accepted));
        return subscription;
    }

    private EventRecord Emit(EventChecker book, long x) => book.OnEmit(_emitter, x, 0, () => _connection);

    private static EventRecord Tell(EventChecker book, EventRecord emitted, EmitUntil stage)
    {
        book.OnEmitted(emitted, new EmittedEvent(IdOf(emitted.Number), stage, 1));
        return emitted;
    }

    private static void Show(EventChecker book, SubscriptionRecord subscription, EventRecord emitted, long dropped = 0) =>
        book.OnShown(subscription, Event(emitted.Number, emitted.X, EventPayload.Of(emitted.Number), dropped));

    private static RippleEvent Event(int number, long x, ReadOnlyMemory<byte> payload, long dropped = 0) => new(
        IdOf(number),
        new RipplePoint([new NamedValue("x", AttributeValue.Integer(x)), new NamedValue("y", AttributeValue.Integer(0))]),
        payload,
        dropped);

    private static RippleEventId IdOf(int number) => new(new NodeId(1, 1), 1, (ulong)number + 1);

    private static void Fails(string text, Action action)
    {
        InvariantViolationException e = Assert.Throws<InvariantViolationException>(action);
        Assert.Equal(EventChecker.Name, e.Checker);
        Assert.Contains(text, e.Message, StringComparison.Ordinal);
    }
}
