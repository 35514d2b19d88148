using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Ripple.Engine.Matching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;
using Ripple.Gms.Definitions;

namespace Ripple.Gms.Matching;

/// <content>Sessions, their boxes, and what becomes of them when the space changes.</content>
internal sealed partial class EventSpace
{
    /// <summary>Adds a subscription; the session is made with its first. One that is there is not added twice.</summary>
    /// <param name="key">The session.</param>
    /// <param name="owner">Whom its boxes are counted for.</param>
    /// <param name="asked">The subscription.</param>
    /// <param name="outlet">The connection that takes what is delivered.</param>
    /// <param name="refusal">Why it is not added; null if it is there.</param>
    /// <returns>The session; null if it is not there and was not made.</returns>
    public EventSession? Subscribe(SessionKey key, ShareOwner owner, Subscribe asked, IEventOutlet outlet, out Refusal? refusal)
    {
        bool isNew = !_sessions.TryGetValue(key, out EventSession? session);
        session ??= new EventSession(this, key, owner);
        refusal = TryAdd(session, asked);
        if (isNew && refusal is not null)
        {
            return null;
        }

        if (isNew)
        {
            _sessions.Add(key, session);
            session.IsReady = !(IsInGrace && asked.IsResumed);
        }

        // What was refused as busy comes again.
        session.HasMore = asked.HasMore || (asked.IsResumed && refusal is { Code: ErrorCode.Busy });
        session.Attach(outlet);
        return session;
    }

    /// <summary>Ends a subscription, and with the last the session.</summary>
    public void Unsubscribe(EventSession session, uint number)
    {
        if (!session.IsEnded && session.Subscriptions.TryGetValue(number, out EventSubscription? subscription))
        {
            Remove(subscription);
            if (session.Subscriptions.Count == 0)
            {
                End(session);
            }
        }
    }

    /// <summary>Ends a session with all it has.</summary>
    public void End(EventSession session)
    {
        foreach (EventSubscription subscription in session.Subscriptions.Values.ToArray())
        {
            Remove(subscription);
        }

        if (_sessions.Remove(session.Key))
        {
            session.End();
        }
    }

    /// <summary>
    /// The subscriptions that would get an event with these values, in order; where a dimension has none, every box fits. Null with the
    /// reason if a value is not in the space.
    /// </summary>
    public IReadOnlyList<EventSubscription>? Explain(IReadOnlyList<NamedValue> values, out string reason)
    {
        // A value is the narrowest range of all.
        NamedRange[] narrow =
        [
            .. Fit(values).Select(v => new NamedRange(v.Name, v.Value, AttributeValue.OfKey(v.Value.Kind, v.Value.Key + 1))),
        ];
        if (!Definition.Space.TryMakeBox(narrow, out Box? asked, out reason))
        {
            return null;
        }

        // All of a dimension is touched by every box, and a value by those that have it.
        return [.. _sessions.Values.SelectMany(s => s.Subscriptions.Values).Where(s => Touch(s.Place.Box, asked))];
    }

    /// <summary>Takes over another space: subscriptions that do not fit in it end, and are told.</summary>
    [MemberNotNull(nameof(Definition), nameof(_index), nameof(_point))]
    public void TakeOver(SpaceDefinition definition)
    {
        Definition = definition;
        _index = new BoxIndex(definition.Space, new BoxIndexOptions { BoxesMax = Options.BoxesPerSpaceMax });
        _point = new Point(definition.Space);
        EventSubscription?[] before = _byPlace;
        _byPlace = [];
        foreach (EventSubscription subscription in before.OfType<EventSubscription>())
        {
            if (!TryPlace(subscription, out string reason))
            {
                EndSubscription(subscription, new Refusal(
                    ErrorCode.InvalidRequest, $"The space of '{Application}' was changed, and the subscription is not in it. {reason}"));
            }
        }
    }

    /// <summary>Ends all subscriptions with a reason.</summary>
    public void Close(Refusal refusal)
    {
        foreach (EventSubscription subscription in _byPlace.OfType<EventSubscription>().ToArray())
        {
            EndSubscription(subscription, refusal);
        }

        EndGrace();
    }

    private static bool Touch(Box box, Box other)
    {
        for (int d = 0; d < box.Lows.Length; d++)
        {
            if (box.Lows[d] >= other.Highs[d] || other.Lows[d] >= box.Highs[d])
            {
                return false;
            }
        }

        return true;
    }

    private void EndSubscription(EventSubscription subscription, Refusal refusal)
    {
        subscription.Session.Outlet?.OnEnded(subscription.Session, subscription.Number, refusal);
        Unsubscribe(subscription.Session, subscription.Number);
    }

    private Refusal? TryAdd(EventSession session, Subscribe asked)
    {
        if (session.Subscriptions.TryGetValue(asked.Subscription, out EventSubscription? known))
        {
            return known.Blocks == asked.Blocks && known.Ranges.SequenceEqual(asked.Ranges) ? null : new Refusal(
                ErrorCode.InvalidRequest, "The number of the subscription is in use. This is a fault of the client library.");
        }

        if (asked.Blocks && Options.BlockNs == 0)
        {
            return new Refusal(
                ErrorCode.InvalidRequest, "Nobody holds up emitters at this host (its BlockNs is 0). Subscribe without asking for it.");
        }

        if (session.Subscriptions.Count >= Options.BoxesPerSubscriberMax)
        {
            return new Refusal(ErrorCode.TooLarge, string.Create(
                CultureInfo.InvariantCulture,
                $"A subscriber has {Options.BoxesPerSubscriberMax} subscriptions at most. End some, or use wider ranges."));
        }

        if (_spaces.Boxes.Judge(session.Owner, 1) is not ShareBound.None and var bound)
        {
            return new Refusal(ErrorCode.Busy, bound switch
            {
                ShareBound.Token => "The host has as many subscriptions with this token as it may. End some, or use wider ranges.",
                ShareBound.Application =>
                    "The host has as many subscriptions with tokens of this application as it may. End some, or use wider ranges.",
                _ => "The host has as many subscriptions as it may. End some, or use wider ranges.",
            });
        }

        if (_index.Count >= Options.BoxesPerSpaceMax)
        {
            return new Refusal(ErrorCode.Busy, string.Create(
                CultureInfo.InvariantCulture,
                $"The space of '{Application}' has {_index.Count} subscriptions, and may not have more. End some, or use wider ranges."));
        }

        var subscription = new EventSubscription(session, asked.Subscription, asked.Ranges, asked.Blocks);
        if (!TryPlace(subscription, out string reason))
        {
            return new Refusal(ErrorCode.InvalidRequest, reason);
        }

        session.Add(subscription);
        _spaces.Boxes.Add(session.Owner, 1);
        return null;
    }

    private bool TryPlace(EventSubscription subscription, out string reason)
    {
        NamedRange[] ranges = [.. subscription.Ranges.Select(Fit)];
        if (!Definition.Space.TryMakeBox(ranges, out Box? box, out reason) || !_index.TryAdd(box, out BoxId id))
        {
            return false;
        }

        subscription.Place = (box, id);
        if (id.Index >= _byPlace.Length)
        {
            Array.Resize(ref _byPlace, Math.Max(id.Index + 1, 2 * _byPlace.Length));
        }

        _byPlace[id.Index] = subscription;
        return true;
    }

    private void Remove(EventSubscription subscription)
    {
        if (!subscription.Session.Remove(subscription))
        {
            return;
        }

        int place = subscription.Place.Id.Index;
        if (place < _byPlace.Length && ReferenceEquals(_byPlace[place], subscription))
        {
            _byPlace[place] = null;
            _index.Remove(subscription.Place.Id);
        }

        _spaces.Boxes.Add(subscription.Session.Owner, -1);
    }
}
