using System.Globalization;
using Ripple.Engine.Links;
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
            session = _host.Subscribe(caller(), connection.Node.ToString(), subscribe, this, out refusal);
            if (session is { IsEnded: false })
            {
                _sessions[subscribe.Application] = session;
            }
        }

        if (refusal is not null)
        {
            connection.Send(new SubscriptionEnded(subscribe.Application, subscribe.Subscription, refusal.Code, refusal.Text));
        }
    }

    public void OnUnsubscribe(Unsubscribe unsubscribe)
    {
        if (_sessions.TryGetValue(unsubscribe.Application, out EventSession? session))
        {
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
