using System.Globalization;
using Ripple.Engine.Matching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;
using Ripple.Gms.Definitions;

namespace Ripple.Gms.Matching;

/// <summary>
/// The space of one application at its host: the boxes of its subscribers, and the events that are not delivered to all of them. Events
/// reach a subscriber in the order in which the host took them. Core thread.
/// </summary>
internal sealed partial class EventSpace
{
    private readonly EventSpaces _spaces;
    private readonly SortedDictionary<SessionKey, EventSession> _sessions = [];
    // Found by key and never walked through.
    private readonly Dictionary<EventId, LiveEvent> _live = [];
    private readonly List<LiveEvent> _kept = [];
    private readonly List<EventSession> _touched = [];
    private readonly BoxMatches _matches = new();
    private EventSubscription?[] _byPlace = [];
    private BoxIndex _index;
    private Point _point;

    /// <param name="spaces">The host's spaces.</param>
    /// <param name="application">The application.</param>
    /// <param name="definition">Its space.</param>
    /// <param name="isInGrace">Subscribers may come back that were there before the host's start.</param>
    public EventSpace(EventSpaces spaces, string application, SpaceDefinition definition, bool isInGrace)
    {
        _spaces = spaces;
        Application = application;
        IsInGrace = isInGrace;
        TakeOver(definition);
    }

    public string Application { get; }

    /// <summary>The bounds.</summary>
    public GmsEventOptions Options => _spaces.Options;

    /// <summary>The space.</summary>
    public SpaceDefinition Definition { get; private set; }

    /// <summary>Events are kept for subscribers of before the host's start.</summary>
    public bool IsInGrace { get; private set; }

    /// <summary>Its subscribers, in order.</summary>
    public IReadOnlyCollection<EventSession> Sessions => _sessions.Values;

    /// <summary>Its boxes.</summary>
    public int BoxCount => _index.Count;

    /// <summary>Events that are not delivered to all of their subscribers.</summary>
    public int LiveCount => _live.Count;

    /// <summary>
    /// Takes an event, and gives it to the subscribers whose boxes have it. One that is here already is not taken twice: who emitted it
    /// again is told how far it is.
    /// </summary>
    /// <param name="id">Its id.</param>
    /// <param name="values">A value in each dimension.</param>
    /// <param name="payload">What it carries; not copied, and not to be changed.</param>
    /// <param name="onStage">Told how far it is, within this call and later.</param>
    /// <returns>Null, or why it is not taken.</returns>
    public Refusal? Emit(EventId id, IReadOnlyList<NamedValue> values, ReadOnlyMemory<byte> payload, Action<LiveEvent> onStage)
    {
        if (_live.TryGetValue(id, out LiveEvent? known))
        {
            known.OnStage = onStage;
            onStage(known);
            return null;
        }

        NamedValue[] fitted = Fit(values);
        if (!Definition.Space.TrySetPoint(fitted, _point, out string reason))
        {
            return new Refusal(ErrorCode.InvalidRequest, reason);
        }

        var live = new LiveEvent(id, fitted, payload) { OnStage = onStage, IsKept = IsInGrace };
        if (IsInGrace && _kept.Count >= Options.KeptEventsMax)
        {
            return new Refusal(ErrorCode.Busy, string.Create(
                CultureInfo.InvariantCulture,
                $"{_kept.Count} events of '{Application}' are kept for subscribers that come back after the host's start. Try again."));
        }

        _index.Match(_point, _matches);
        Note();
        if (TryTake(live) is { } refusal)
        {
            Skip();
            return refusal;
        }

        _live.Add(id, live);
        if (IsInGrace)
        {
            _kept.Add(live);
        }

        Give(live, session => session.IsReady);
        Advance(live);
        return null;
    }

    /// <summary>Called a few times a second: who came back is given what is kept; who did not come back in time is forgotten.</summary>
    public void OnTick(long nowNs, bool isInGrace)
    {
        if (IsInGrace)
        {
            Replay(session => !session.IsReady && (!session.HasMore || !isInGrace));
            if (!isInGrace)
            {
                EndGrace();
            }
        }

        foreach (EventSession session in _sessions.Values.Where(s => s.Outlet is null && nowNs - s.LostNs > Options.GraceNs).ToArray())
        {
            End(session);
        }
    }

    internal void OnDropped(LiveEvent live)
    {
        _spaces.OnDropped();
        Release(live);
    }

    internal void Release(LiveEvent live)
    {
        live.Holders--;
        if (live.Holders == 0 && !live.IsKept && live.Stage == EmitStage.Matched)
        {
            Advance(live);
        }
    }

    /// <summary>Takes room for an event that was noted at all that have it; else why there is none.</summary>
    private Refusal? TryTake(LiveEvent live)
    {
        // All or none of them get it: what some have would come to the rest when they have room, behind what was emitted later.
        bool isHeld = false;
        foreach (EventSession session in _touched)
        {
            // Each is asked, so that the time of all runs at once.
            isHeld |= !IsInGrace && session.HoldsUp(live, _spaces.NowNs);
        }

        if (isHeld)
        {
            _spaces.OnHeld();
            return new Refusal(
                ErrorCode.Busy, $"A subscriber of '{Application}' that asked emitters to wait has no room for the event. Try again.");
        }

        return _spaces.TryTake(live.Bytes) ? null : new Refusal(
            ErrorCode.Busy, "The host holds as many bytes of events as it may, for subscribers that do not take them. Try again.");
    }

    /// <summary>Notes the event that was matched at the sessions that have it.</summary>
    private void Note()
    {
        _touched.Clear();
        foreach (int place in _matches.Indexes)
        {
            EventSubscription subscription = _byPlace[place]!;
            if (subscription.Session.Note(subscription.Number))
            {
                _touched.Add(subscription.Session);
            }
        }
    }

    private void Skip()
    {
        foreach (EventSession session in _touched)
        {
            session.Skip();
        }
    }

    /// <summary>Gives the event that was noted to those sessions that may have it now.</summary>
    private void Give(LiveEvent live, Func<EventSession, bool> may)
    {
        foreach (EventSession session in _touched)
        {
            if (may(session))
            {
                session.Deliver(live, _spaces.NextSequence(), mayDrop: !IsInGrace);
            }
            else
            {
                session.Skip();
            }
        }
    }

    /// <summary>Moves an event on as far as it is, and tells it.</summary>
    private void Advance(LiveEvent live)
    {
        live.Stage = live.IsKept ? EmitStage.Accepted : live.Holders > 0 ? EmitStage.Matched : EmitStage.Delivered;
        if (live.Stage == EmitStage.Delivered)
        {
            _live.Remove(live.Id);
            _spaces.Return(live.Bytes);
        }

        live.OnStage?.Invoke(live);
    }

    private void Replay(Func<EventSession, bool> may)
    {
        EventSession[] returned = [.. _sessions.Values.Where(may)];
        if (returned.Length == 0)
        {
            return;
        }

        foreach (LiveEvent live in _kept)
        {
            // The space may have been changed since: what is not in it has no box.
            if (Definition.Space.TrySetPoint(Fit(live.Values), _point, out _))
            {
                _index.Match(_point, _matches);
                Note();
                Give(live, session => Array.IndexOf(returned, session) >= 0);
            }
        }

        foreach (EventSession session in returned)
        {
            session.IsReady = true;
        }
    }

    private void EndGrace()
    {
        IsInGrace = false;
        foreach (LiveEvent live in _kept)
        {
            live.IsKept = false;
            Advance(live);
        }

        _kept.Clear();
    }

    private NamedValue[] Fit(IReadOnlyList<NamedValue> values)
    {
        var fitted = new NamedValue[values.Count];
        for (int i = 0; i < fitted.Length; i++)
        {
            NamedValue value = values[i];
            fitted[i] = KindOf(value.Name) is { } kind ? value with { Value = value.Value.As(kind) } : value;
        }

        return fitted;
    }

    private NamedRange Fit(NamedRange range) => KindOf(range.Name) is { } kind
        ? range with { From = range.From.As(kind), To = range.To.As(kind) }
        : range;

    private AttributeKind? KindOf(string name)
    {
        IReadOnlyList<Dimension> dimensions = Definition.Space.Dimensions;
        for (int i = 0; i < dimensions.Count; i++)
        {
            if (dimensions[i].Name == name)
            {
                return dimensions[i].Kind;
            }
        }

        return null;
    }
}
