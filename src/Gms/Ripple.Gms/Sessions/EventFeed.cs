using System.Globalization;
using Ripple.Engine.Links;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;
using Ripple.Gms.Calls;
using Ripple.Gms.Matching;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The events of one control connection: what it emits and subscribes to, and what is delivered to it, as far as it has room. Holds no
/// events: those are in the sessions' bounded queues. Sessions of several spaces take turns. Core thread.
/// </summary>
/// <param name="services">Services shared by all connections.</param>
/// <param name="connection">The connection.</param>
/// <param name="share">Its share of the core.</param>
/// <param name="caller">Who it is, as the core knows it now.</param>
/// <param name="wake">Asks for a turn to send.</param>
internal sealed class EventFeed(
    SessionServices services, NodeConnection connection, CallBudget.Share share, Func<Caller> caller, Action wake)
    : IBulkFeed, IEventOutlet
{
    /// <summary>The most spaces that one connection subscribes to.</summary>
    private const int SpacesMax = 64;

    private readonly EventCalls _host = services.Calls.Events;
    private readonly SortedDictionary<string, EventSession> _sessions = new(StringComparer.Ordinal);
    private readonly Queue<EventSession> _ready = [];
    private readonly AwaitedSubscriptions _awaited = new(services.Context.Options.Events.BoxesPerSubscriberMax);
    private bool _isClosed;

    public void OnEmit(Emit emit)
    {
        Refusal? refusal = share.TryTake(CallCosts.EmitNs) ?? _host.Emit(
            caller(),
            emit,
            new EventId(connection.Node, emit.Epoch, emit.Sequence),
            live => Tell(emit.Application, live));
        if (refusal is not null)
        {
            connection.Send(new EmitResult(emit.Application, emit.Sequence, EmitStage.Accepted, 0, refusal.Code, refusal.Text));
        }
    }

    public void OnSubscribe(Subscribe subscribe)
    {
        Refusal? refusal = share.TryTake(CallCosts.SubscribeNs);
        bool isKnown = _sessions.TryGetValue(subscribe.Application, out EventSession? session);
        if (refusal is null && (isKnown ? session!.Key.Epoch != subscribe.Epoch : _sessions.Count == SpacesMax))
        {
            refusal = new Refusal(ErrorCode.InvalidRequest, string.Create(
                CultureInfo.InvariantCulture,
                $"A connection has one session a space, and subscribes to {SpacesMax} spaces at most."));
        }

        if (refusal is null)
        {
            // Beside those that come again, a new one is a part of the session of before.
            bool hasOthers = _awaited.HasOthers(subscribe.Application, subscribe.Subscription);
            Subscribe asked = subscribe with
            {
                IsResumed = subscribe.IsResumed || hasOthers,
                HasMore = subscribe.HasMore || hasOthers,
            };
            session = _host.Subscribe(caller(), connection.Node.ToString(), asked, this, out refusal);
            if (session is { IsEnded: false })
            {
                _sessions[subscribe.Application] = session;
            }
        }

        _awaited.OnAnswered(subscribe, refusal);
        if (refusal is not null)
        {
            connection.Send(new SubscriptionEnded(subscribe.Application, subscribe.Subscription, refusal.Code, refusal.Text));
        }
    }

    public void OnUnsubscribe(Unsubscribe unsubscribe)
    {
        _awaited.Remove(unsubscribe.Application, unsubscribe.Subscription);
        if (_sessions.TryGetValue(unsubscribe.Application, out EventSession? session))
        {
            // A node says what it has before it says what has ended.
            session.HasMore = _awaited.HasOthers(unsubscribe.Application, unsubscribe.Subscription);
            _host.Unsubscribe(session, unsubscribe.Subscription);
            Forget(session);
        }
    }

    public void OnAck(EventAck ack)
    {
        if (_sessions.TryGetValue(ack.Application, out EventSession? session))
        {
            session.OnAck(ack.Sequence);
        }
    }

    /// <inheritdoc/>
    public bool Pump(ILink link)
    {
        while (_ready.Count > 0)
        {
            EventSession session = _ready.Peek();
            if (!ReferenceEquals(session.Outlet, this))
            {
                // Another connection took over, or it ended.
                _ready.Dequeue();
                continue;
            }

            if (!session.TryPeek(out EventEntry entry))
            {
                session.IsListed = false;
                _ready.Dequeue();
                continue;
            }

            LiveEvent live = entry.Event;
            if (!link.TrySend(new EventDelivery(
                session.Application,
                entry.Sequence,
                session.DroppedCount,
                live.Id.Emitter,
                live.Id.Epoch,
                live.Id.Number,
                entry.Subscriptions,
                live.Values,
                live.Payload)))
            {
                return false;
            }

            session.OnSent();
            _host.OnDelivered();
            // Who has many boxes pays for them: its own frames wait, and so do its acknowledgements.
            connection.TakeForFrame(CallCosts.DeliveryNs + (entry.Subscriptions.Length * CallCosts.NamedSubscriptionNs));
            if (_ready.Count > 1)
            {
                _ready.Enqueue(_ready.Dequeue());
            }
        }

        return true;
    }

    /// <summary>Ends the subscriptions that the token no longer grants, each with that answer.</summary>
    public void EndUnentitled()
    {
        foreach (EventSession session in _sessions.Values.ToArray())
        {
            if (_host.RefuseSubscriber(caller(), session.Application) is { } refusal)
            {
                foreach (uint subscription in session.Subscriptions.Keys.ToArray())
                {
                    OnEnded(session, subscription, refusal);
                }

                _host.End(session);
                Forget(session);
            }
        }
    }

    /// <summary>Called when the connection is gone: sessions of a node that may soon return live on for the grace.</summary>
    public void Close(bool maySoonReturn)
    {
        _isClosed = true;
        foreach (EventSession session in _sessions.Values.ToArray())
        {
            if (maySoonReturn)
            {
                session.Detach(this, services.Context.Core.NowNs);
            }
            else
            {
                _host.End(session);
            }
        }

        _sessions.Clear();
        _ready.Clear();
    }

    /// <inheritdoc/>
    public void OnReady(EventSession session)
    {
        if (!session.IsListed)
        {
            session.IsListed = true;
            _ready.Enqueue(session);
            wake();
        }
    }

    /// <inheritdoc/>
    public void OnEnded(EventSession session, uint subscription, Refusal refusal) =>
        connection.Send(new SubscriptionEnded(session.Application, subscription, refusal.Code, refusal.Text));

    /// <inheritdoc/>
    public void OnReplaced(EventSession session)
    {
        if (_sessions.TryGetValue(session.Application, out EventSession? own) && ReferenceEquals(own, session))
        {
            _sessions.Remove(session.Application);
        }
    }

    private void Forget(EventSession session)
    {
        if (session.IsEnded)
        {
            _sessions.Remove(session.Application);
        }
    }

    private void Tell(string application, LiveEvent live)
    {
        if (_isClosed)
        {
            // Whoever emitted it sends it again elsewhere.
            live.OnStage = null;
            return;
        }

        connection.Send(new EmitResult(application, live.Id.Number, live.Stage, live.Matched, ErrorCode.None, string.Empty));
    }
}

/// <summary>
/// Subscriptions of before that a connection was told to send again, as while the host reads the space after its start. Until they have
/// come, their session is given nothing of what is kept: an event is shown once, so one delivery has to name all that have it. What is
/// beyond the bound is not awaited. Core thread.
/// </summary>
/// <param name="countMax">The most subscriptions.</param>
internal sealed class AwaitedSubscriptions(int countMax)
{
    private readonly List<(uint Number, string Application)> _all = [];

    public static void AddMemory(MemoryBudget budget, GmsEventOptions options) => budget.Add(
        MemoryScope.Connection,
        MemoryKind.Transient,
        "events: subscriptions that are to come again",
        options.BoxesPerSubscriberMax,
        2 * sizeof(long));

    /// <summary>Whether others of the same space are awaited.</summary>
    public bool HasOthers(string application, uint number) => _all.Exists(a => a.Number != number && a.Application == application);

    /// <summary>Notes how a subscription was answered.</summary>
    public void OnAnswered(Subscribe subscribe, Refusal? refusal)
    {
        Remove(subscribe.Application, subscribe.Subscription);
        if (subscribe.IsResumed && refusal is { Code: ErrorCode.Busy } && _all.Count < countMax)
        {
            _all.Add((subscribe.Subscription, subscribe.Application));
        }
    }

    /// <summary>A subscription does not come any more.</summary>
    public void Remove(string application, uint number) => _all.Remove((number, application));
}
