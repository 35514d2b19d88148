using System.Threading.Channels;
using Ripple.Client.Scheduling;
using Ripple.Engine.Links;
using Ripple.Engine.Matching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;

namespace Ripple.Client.Spaces;

/// <summary>
/// The subscriptions of a client in one space, which are one session at the host: an event comes once, for all that have it, and is
/// acknowledged when all of them went on. Core thread.
/// </summary>
internal sealed class Subscriptions(SpaceHub hub, string application)
{
    private const int AckBytes = 512;
    private const int SubscribeBytes = 8_192;

    private readonly SortedDictionary<uint, Subscription> _all = [];
    private readonly SortedSet<uint> _unsent = [];
    private readonly SortedSet<uint> _busy = [];
    private readonly Queue<uint> _over = [];
    private readonly SeenEvents _seen = new();
    private readonly Dictionary<RippleEventId, Shown> _shown = [];
    private readonly Queue<(ulong Sequence, Shown? Shown)> _unacknowledged = [];
    private ulong _toldDropped;
    private ulong _taken;
    private ulong _acknowledged;
    private long _dropped;
    private uint _lastNumber;

    /// <summary>The events that wait for subscriptions to go on.</summary>
    public int WaitingCount => _unacknowledged.Count;

    /// <summary>Begins a subscription.</summary>
    public void Add(Subscription subscription)
    {
        subscription.Number = ++_lastNumber;
        _all.Add(subscription.Number, subscription);
        _unsent.Add(subscription.Number);
        hub.Pump();
    }

    /// <summary>Ends a subscription: what it was given and did not take is let go.</summary>
    public void Remove(Subscription subscription)
    {
        bool isHere = _all.Remove(subscription.Number);
        _unsent.Remove(subscription.Number);
        _busy.Remove(subscription.Number);
        if (isHere && subscription.WasSent)
        {
            // Also where it is not sent on this connection, or was refused as busy: a host may have it from before, or wait for it.
            _over.Enqueue(subscription.Number);
        }

        // Also for one that the host ended: what it left is to be acknowledged now.
        hub.Pump();
    }

    public void OnJoined(bool isSameHost)
    {
        _toldDropped = isSameHost ? _toldDropped : 0;
        (_taken, _acknowledged) = (0, 0);
        _unacknowledged.Clear();
        _busy.Clear();
        _unsent.UnionWith(_all.Keys);
        foreach (RippleEventId id in _shown.Where(s => s.Value.IsOver).Select(s => s.Key).ToArray())
        {
            _shown.Remove(id);
        }
    }

    /// <summary>The time after which a host that was busy is asked again has passed.</summary>
    public void OnBusyPassed()
    {
        _unsent.UnionWith(_busy);
        _busy.Clear();
    }

    public bool TrySend(ILink link)
    {
        while (_unsent.Count > 0)
        {
            Subscription subscription = _all[_unsent.Min];
            bool isResumed = subscription.WasSent;
            if (!SpaceHub.HasRoom(link, SubscribeBytes)
                || !link.TrySend(new Subscribe(
                    application,
                    hub.Epoch,
                    subscription.Number,
                    isResumed,
                    isResumed && HasMore(),
                    subscription.Blocks,
                    subscription.Ranges)))
            {
                return false;
            }

            subscription.WasSent = true;
            _unsent.Remove(subscription.Number);
        }

        while (_over.TryPeek(out uint number))
        {
            if (!SpaceHub.HasRoom(link, AckBytes) || !link.TrySend(new Unsubscribe(application, number)))
            {
                return false;
            }

            _over.Dequeue();
        }

        while (_unacknowledged.TryPeek(out (ulong Sequence, Shown? Shown) first) && first.Shown is null or { IsOver: true })
        {
            _unacknowledged.Dequeue();
            _taken = first.Sequence;
            if (first.Shown is { } shown)
            {
                _shown.Remove(shown.Id);
            }
        }

        if (_taken > _acknowledged)
        {
            if (!SpaceHub.HasRoom(link, AckBytes) || !link.TrySend(new EventAck(application, _taken)))
            {
                return false;
            }

            _acknowledged = _taken;
        }

        return true;
    }

    public void OnDelivery(EventDelivery delivery)
    {
        if (_unacknowledged.Count == EventLimits.WaitingMax)
        {
            // No host sends so many; what is left out is not acknowledged.
            return;
        }

        // Less than before is said by a session that began anew.
        _dropped += (long)(delivery.Dropped < _toldDropped ? delivery.Dropped : delivery.Dropped - _toldDropped);
        _toldDropped = delivery.Dropped;

        var id = new RippleEventId(delivery.Emitter, delivery.Epoch, delivery.Number);
        Shown? shown = _shown.GetValueOrDefault(id);
        if (shown is null && _seen.TryAdd(id))
        {
            shown = Show(id, delivery);
        }

        _unacknowledged.Enqueue((delivery.Sequence, shown));
    }

    public void OnEnded(SubscriptionEnded ended)
    {
        if (!_all.TryGetValue(ended.Subscription, out Subscription? subscription))
        {
            return;
        }

        if (ended.Code == ErrorCode.Busy)
        {
            _busy.Add(ended.Subscription);
            hub.AgainAfterBusy();
            return;
        }

        _all.Remove(ended.Subscription);
        _unsent.Remove(ended.Subscription);
        subscription.End(new RippleException(ended.Code, ended.Text));
    }

    public void Stop(Exception reason)
    {
        foreach (Subscription subscription in _all.Values)
        {
            subscription.End(reason);
        }

        _all.Clear();
    }

    /// <summary>Whether others that were sent before follow the next one.</summary>
    private bool HasMore() => _unsent.Skip(1).Any(number => _all[number].WasSent);

    private Shown? Show(RippleEventId id, EventDelivery delivery)
    {
        Subscription[] subscriptions = [.. delivery.Subscriptions.Select(n => _all.GetValueOrDefault(n)).OfType<Subscription>()];
        if (subscriptions.Length == 0)
        {
            return null;
        }

        var shown = new Shown(id, subscriptions.Length);
        _shown.Add(id, shown);
        foreach (Subscription subscription in subscriptions)
        {
            // A point can be changed: each has its own.
            var shownEvent = new RippleEvent(id, new RipplePoint(delivery.Values), delivery.Payload, _dropped);
            if (!subscription.Events.Writer.TryWrite((shownEvent, shown)))
            {
                shown.GoOn();
            }
        }

        _dropped = 0;
        return shown;
    }
}

/// <summary>A subscription of a client.</summary>
/// <param name="ranges">The ranges of its box.</param>
/// <param name="blocks">Emitters are to wait where the session's queue is full.</param>
/// <param name="scheduler">Resumes who waits for its events.</param>
internal sealed class Subscription(NamedRange[] ranges, bool blocks, IClientScheduler scheduler)
{
    public NamedRange[] Ranges => ranges;

    public bool Blocks => blocks;

    /// <summary>Its number in the session; 0 before it has one. Core thread.</summary>
    public uint Number { get; set; }

    /// <summary>It was sent to a host before. Core thread.</summary>
    public bool WasSent { get; set; }

    /// <summary>What it was given and did not take; bounded by what the session is sent without acknowledgments.</summary>
    public Channel<(RippleEvent Event, Shown Shown)> Events { get; } =
        Channel.CreateUnbounded<(RippleEvent, Shown)>(new UnboundedChannelOptions
        {
            SingleWriter = true,
            AllowSynchronousContinuations = scheduler.Completions != TaskCreationOptions.RunContinuationsAsynchronously,
        });

    /// <summary>Ends it with a reason, behind what it was given. Core thread.</summary>
    public void End(Exception reason) => Events.Writer.TryComplete(reason);
}

/// <summary>An event that was given to subscriptions, until all of them went on.</summary>
/// <param name="id">The event.</param>
/// <param name="count">The subscriptions.</param>
internal sealed class Shown(RippleEventId id, int count)
{
    private int _left = count;

    public RippleEventId Id => id;

    /// <summary>All went on. Any thread.</summary>
    public bool IsOver => Volatile.Read(ref _left) <= 0;

    /// <summary>One of them went on; true if it was the last. Any thread.</summary>
    public bool GoOn() => Interlocked.Decrement(ref _left) == 0;
}
