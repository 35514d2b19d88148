using System.Buffers.Binary;
using Ripple.Client;
using Ripple.Engine.Protocol;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles.Events;

/// <summary>
/// The world's own book of events, and the rules of docs/design/events.md: nobody misses what was accepted, sees an event twice, sees one
/// that its ranges do not have, or loses one without being told. It compares numbers, and asks neither host nor client.
/// </summary>
/// <remarks>
/// A subscription is judged once it was shown an event, which proves that a host has it, and as long as its process was not away for
/// <see cref="AwayNsMax"/>: less than the grace, by what a host may take a connection for lost before its node does.
/// </remarks>
internal sealed class EventChecker
{
    /// <summary>The name of the checker.</summary>
    public const string Name = "Events";

    private const long AwayNsMax = 8_000_000_000;
    private const long SettledNs = 1_000_000_000;
    private readonly SimulatedWorld _world;
    private readonly SimulatedMachine _host;
    private readonly EventRules _rules;
    private readonly List<EventRecord> _emitted = [];
    private readonly List<SubscriberRecord> _subscribers = [];

    /// <param name="world">The world.</param>
    /// <param name="host">The host's machine.</param>
    /// <param name="rules">What may happen in this run.</param>
    public EventChecker(SimulatedWorld world, SimulatedMachine host, EventRules rules)
    {
        _world = world;
        _host = host;
        _rules = rules;
    }

    /// <summary>The events that subscriptions were shown.</summary>
    public long ShownCount { get; private set; }

    /// <summary>The events that were emitted.</summary>
    public int EmittedCount => _emitted.Count;

    /// <summary>How often an event that a subscription had to be shown was looked for.</summary>
    public long JudgedCount { get; private set; }

    /// <summary>The events that subscribers were told that they lost.</summary>
    public long ToldCount { get; private set; }

    /// <summary>Since when the space is there, as everybody may know; null while nobody does.</summary>
    public long? SpaceSinceNs { get; private set; }

    /// <summary>The space is there from now on, or nobody knows.</summary>
    public void OnSpace(bool isThere) => SpaceSinceNs = isThere ? SpaceSinceNs ?? _world.Scheduler.NowNs : null;

    /// <summary>A process subscribes from now on.</summary>
    public SubscriberRecord OnStarted(SimulatedMachine machine)
    {
        var subscriber = new SubscriberRecord(machine);
        _subscribers.Add(subscriber);
        return subscriber;
    }

    /// <summary>Called after each turn of a subscriber's machine.</summary>
    /// <param name="subscriber">The process.</param>
    /// <param name="isJoined">Whether its node knows of a membership.</param>
    public void OnTurn(SubscriberRecord subscriber, bool isJoined)
    {
        ArgumentNullException.ThrowIfNull(subscriber);
        long nowNs = _world.Scheduler.NowNs;
        bool isQuiet = subscriber.Machine.Slowness <= 1
            && _world.Disturbances.IsQuietSince(subscriber.Machine, nowNs - SettledNs);
        if (isJoined && isQuiet)
        {
            if (subscriber.LastSureNs == 0 || IsAway(subscriber))
            {
                subscriber.SureSinceNs = nowNs;
            }

            subscriber.LastSureNs = nowNs;
        }
    }

    /// <summary>A program is about to emit an event.</summary>
    /// <param name="machine">Its machine.</param>
    /// <param name="x">Where the event is.</param>
    /// <param name="y">Where it is, in the other dimension.</param>
    /// <param name="connection">What stands for the emitter's connection now, another with each; null while it has none.</param>
    public EventRecord OnEmit(SimulatedMachine machine, long x, long y, Func<object?> connection)
    {
        var record = new EventRecord(_emitted.Count, machine, x, y, _world.Scheduler.NowNs, _host.StartCount, connection);
        _emitted.Add(record);
        return record;
    }

    /// <summary>Its emitter was told how far it is.</summary>
    public void OnEmitted(EventRecord emitted, EmittedEvent told)
    {
        ArgumentNullException.ThrowIfNull(emitted);
        ArgumentNullException.ThrowIfNull(told);
        emitted.Told = told.Stage;
        emitted.AcceptedNs = _world.Scheduler.NowNs;
        CheckId(emitted, told.Id);
        if (told.Stage != EmitUntil.Delivered || _rules.MayDrop)
        {
            return;
        }

        foreach (SubscriptionRecord subscription in _subscribers.SelectMany(s => s.Subscriptions))
        {
            if (!subscription.Wants(emitted) || IsAway(subscription.Subscriber))
            {
                continue;
            }

            JudgedCount++;
            if (!subscription.Seen.Contains(emitted.Number))
            {
                _world.Fail(
                    Name,
                    $"{emitted} is delivered, as its emitter is told, and {subscription.Subscriber} was not shown it",
                    emitted,
                    subscription.Subscriber);
            }
        }
    }

    /// <summary>
    /// An event or a subscription was refused. That there is no space may have been true when it was said, to a process that could not read
    /// for a while: if it asked after that, or was not disturbed since, it was not.
    /// </summary>
    /// <param name="machine">The machine of the process.</param>
    /// <param name="refusal">The reason.</param>
    /// <param name="askedNs">When it asked, or when the space was last known to have been there for it.</param>
    public void OnRefused(SimulatedMachine machine, RippleException refusal, long askedNs)
    {
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(refusal);
        long heardNs = _subscribers.Where(s => s.Machine == machine && s.IsAlive).Select(s => s.LastSureNs - SettledNs).LastOrDefault();
        if (SpaceSinceNs is { } sinceNs && (refusal.Code != ErrorCode.NotFound || Math.Max(askedNs, heardNs) >= sinceNs))
        {
            _world.Fail(Name, $"an event or a subscription of {machine} was refused as {refusal.Code}: {refusal.Message}", machine);
        }
    }

    /// <summary>A subscription was shown an event.</summary>
    public void OnShown(SubscriptionRecord subscription, RippleEvent shown)
    {
        ArgumentNullException.ThrowIfNull(subscription);
        ArgumentNullException.ThrowIfNull(shown);
        SubscriberRecord subscriber = subscription.Subscriber;
        int number = BinaryPrimitives.ReadInt32LittleEndian(shown.Payload.Span);
        if (number < 0 || number >= _emitted.Count)
        {
            _world.Fail(Name, $"{subscriber} is shown event {number}, which nobody emitted", subscriber);
        }

        EventRecord emitted = _emitted[number];
        CheckId(emitted, shown.Id);
        if (shown.Point["x"] != emitted.X || shown.Point["y"] != emitted.Y || shown.Payload.Length != EventPayload.BytesOf(number))
        {
            _world.Fail(Name, $"{subscriber} is shown {emitted} with other values or less of what it carries", subscriber, emitted);
        }

        if (!subscription.Box.Has(emitted.X, emitted.Y))
        {
            _world.Fail(Name, $"{subscriber} is shown {emitted}, which its ranges {subscription.Box} do not have", subscriber, emitted);
        }

        if (!subscription.Seen.Add(number))
        {
            _world.Fail(Name, $"{subscriber} is shown {emitted} twice", subscriber, emitted);
        }

        CheckOrder(subscription, emitted);
        subscription.ProvedNs = Math.Min(subscription.ProvedNs, _world.Scheduler.NowNs);
        ShownCount++;
        if (shown.Dropped > 0)
        {
            OnTold(subscriber, shown.Dropped);
        }
    }

    /// <summary>Called at the end of the quiet period, when nothing is under way.</summary>
    public void CheckEnd()
    {
        foreach (EventRecord emitted in _emitted.Where(e => e.Told is null && !e.IsRefused && e.IsEmitterAlive))
        {
            _world.Fail(Name, $"the emitter of {emitted} was never told what became of it", emitted);
        }

        foreach (SubscriberRecord subscriber in _subscribers.Where(s => s.IsAlive && !IsAway(s)))
        {
            CheckMissed(subscriber);
        }
    }

    private void CheckMissed(SubscriberRecord subscriber)
    {
        int life = _host.StartCount;
        EventRecord[] missed =
        [
            .. _emitted.Where(e => IsKept(e) && (!_rules.MayDrop || e.HostLife == life)
                && subscriber.Subscriptions.Exists(s => MustHaveSeen(s, e) && !s.Seen.Contains(e.Number))),
        ];
        long told = _rules.MayDrop ? subscriber.ToldByHost.GetValueOrDefault(life) : 0;
        if (missed.Length > told)
        {
            _world.Fail(
                Name,
                $"{subscriber} missed {string.Join("; ", missed.Take(4).Select(e => e.ToString()))} ({missed.Length} in all), and was "
                    + $"told of {told}",
                subscriber,
                missed[0]);
        }
    }

    private bool MustHaveSeen(SubscriptionRecord subscription, EventRecord emitted)
    {
        bool wants = subscription.Wants(emitted);
        JudgedCount += wants ? 1 : 0;
        return wants;
    }

    /// <summary>It was accepted; and if its emitter died before it heard that it is delivered, the host did not die as well.</summary>
    private bool IsKept(EventRecord emitted) =>
        emitted.Told is not null
        && (emitted.Told == EmitUntil.Delivered || emitted.IsEmitterAlive || emitted.HostLife == _host.StartCount);

    /// <summary>Whether a host may have ended what it has of a process.</summary>
    private bool IsAway(SubscriberRecord subscriber) => _world.Scheduler.NowNs - subscriber.LastSureNs > AwayNsMax;

    private void CheckId(EventRecord emitted, RippleEventId id)
    {
        // A simulated client has no certificate that says who it is.
        id = id with { Emitter = default };
        emitted.Id ??= id;
        if (emitted.Id != id)
        {
            _world.Fail(Name, $"{emitted} is {emitted.Id} and {id}", emitted);
        }
    }

    /// <summary>
    /// In one life of a host, what was accepted before another was emitted comes before it, to a subscription that was there, and to others
    /// as long as the emitter's connection holds. Over a start, and where a host was busy, those that are emitted again may be overtaken.
    /// </summary>
    private void CheckOrder(SubscriptionRecord subscription, EventRecord emitted)
    {
        int life = _host.StartCount;
        if (_rules.MayDrop || emitted.HostLife != life || emitted.AcceptedNs == long.MaxValue)
        {
            return;
        }

        bool wasThere = subscription.Wants(emitted) && !IsAway(subscription.Subscriber);
        EventRecord? newest = subscription.Newest.GetValueOrDefault(emitted.Process);
        if (newest?.HostLife == life
            && (wasThere || emitted.IsConnectionKept)
            && emitted.AcceptedNs < newest.AskedNs)
        {
            _world.Fail(
                Name, $"{subscription.Subscriber} is shown {emitted} after {newest}, which was emitted later", emitted);
        }

        if (newest is null || newest.AskedNs < emitted.AskedNs)
        {
            subscription.Newest[emitted.Process] = emitted;
        }
    }

    private void OnTold(SubscriberRecord subscriber, long count)
    {
        ToldCount += count;
        if (!_rules.MayDrop)
        {
            _world.Fail(Name, $"{subscriber} is told that it lost {count} events, and there was room for all", subscriber);
        }

        int life = _host.StartCount;
        subscriber.ToldByHost[life] = subscriber.ToldByHost.GetValueOrDefault(life) + count;
    }
}

/// <summary>What may happen to events in a run, by the options of its host.</summary>
/// <param name="MayDrop">Queues have little room: what is lost is told.</param>
internal sealed record EventRules(bool MayDrop);

/// <summary>What an event carries: its number in the world, and more.</summary>
internal static class EventPayload
{
    private const int LargeEvery = 16;
    private const int LargeBytes = 50_000;
    private const int SmallBytesRange = 500;

    /// <summary>How many bytes the event of a number carries.</summary>
    public static int BytesOf(int number) =>
        sizeof(int) + (number % LargeEvery == LargeEvery - 1 ? LargeBytes : number * 7 % SmallBytesRange);

    /// <summary>What the event of a number carries.</summary>
    public static byte[] Of(int number)
    {
        byte[] payload = new byte[BytesOf(number)];
        BinaryPrimitives.WriteInt32LittleEndian(payload, number);
        return payload;
    }
}
