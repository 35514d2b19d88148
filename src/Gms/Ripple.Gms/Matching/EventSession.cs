using Ripple.Engine.Matching;

namespace Ripple.Gms.Matching;

/// <summary>
/// One subscriber of a space: its subscriptions, the events that wait for it, and those it was sent and has not acknowledged. It outlives
/// its connection by the grace. Core thread.
/// </summary>
/// <param name="space">Its space.</param>
/// <param name="key">Its name.</param>
/// <param name="owner">Whom its boxes are counted for.</param>
internal sealed class EventSession(EventSpace space, SessionKey key, ShareOwner owner)
{
    private readonly SortedDictionary<uint, EventSubscription> _subscriptions = [];
    private readonly List<uint> _matched = [];
    private Queue<EventEntry> _waiting = new();
    private Queue<EventEntry> _sent = new();
    private long _waitingBytes;
    private long _sentBytes;
    private int _allowedEvents;
    private long _allowedBytes;
    private int _blockingCount;
    private long? _heldSinceNs;
    private bool _isGivenUp;

    public SessionKey Key => key;

    public ShareOwner Owner => owner;

    /// <summary>Its application.</summary>
    public string Application => space.Application;

    /// <summary>Its subscriptions by their numbers.</summary>
    public IReadOnlyDictionary<uint, EventSubscription> Subscriptions => _subscriptions;

    /// <summary>Takes what is delivered; null while there is no connection.</summary>
    public IEventOutlet? Outlet { get; private set; }

    /// <summary>When its connection was lost.</summary>
    public long LostNs { get; private set; }

    /// <summary>More of its subscriptions are on their way.</summary>
    public bool HasMore { get; set; }

    /// <summary>It is given events as they come; false while it waits to be given what is kept since the start.</summary>
    public bool IsReady { get; set; } = true;

    /// <summary>Its outlet knows that something may be there; the outlet's own mark.</summary>
    public bool IsListed { get; set; }

    /// <summary>It has ended, and holds nothing.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>Events that wait for room in the window.</summary>
    public int WaitingCount => _waiting.Count;

    /// <summary>The bytes of these.</summary>
    public long WaitingBytes => _waitingBytes;

    /// <summary>Events that were sent and not acknowledged.</summary>
    public int SentCount => _sent.Count;

    /// <summary>
    /// Events dropped because the queue was full; each delivery says how many there were, so that one that is sent again loses nothing.
    /// </summary>
    public ulong DroppedCount { get; private set; }

    /// <summary>A connection takes over: what was sent on another and not acknowledged is sent again.</summary>
    public void Attach(IEventOutlet outlet)
    {
        if (!ReferenceEquals(Outlet, outlet))
        {
            Outlet?.OnReplaced(this);
            Rewind();
            Outlet = outlet;
            IsListed = false;
            outlet.OnReady(this);
        }
    }

    /// <summary>The connection is gone; does nothing if another took over.</summary>
    public void Detach(IEventOutlet outlet, long nowNs)
    {
        if (ReferenceEquals(Outlet, outlet))
        {
            Outlet = null;
            LostNs = nowNs;
        }
    }

    /// <summary>The next event to be sent; false if there is none, or no room in the window.</summary>
    public bool TryPeek(out EventEntry entry)
    {
        bool hasRoom = _sent.Count == 0
            || (_sent.Count < space.Options.WindowEventsMax && _sentBytes < space.Options.WindowBytesMax);
        entry = default;
        return hasRoom && _waiting.TryPeek(out entry);
    }

    /// <summary>What <see cref="TryPeek"/> gave was sent.</summary>
    public void OnSent()
    {
        EventEntry entry = _waiting.Dequeue();
        _waitingBytes -= entry.Bytes;
        _sentBytes += entry.Bytes;
        _sent.Enqueue(entry);
    }

    /// <summary>Everything up to a delivery was taken, of what was sent on this connection.</summary>
    public void OnAck(ulong sequence)
    {
        while (_sent.TryPeek(out EventEntry entry) && entry.Sequence <= sequence)
        {
            _sent.Dequeue();
            _sentBytes -= entry.Bytes;
            _heldSinceNs = null;
            space.Release(entry.Event);
        }

        GmsEventOptions options = space.Options;
        (int count, long bytes) = (_waiting.Count + _sent.Count, _waitingBytes + _sentBytes);
        if (count <= options.QueueEventsMax && bytes <= options.QueueBytesMax)
        {
            (_allowedEvents, _allowedBytes) = (0, 0);
        }

        // Not at the first room: who takes an event now and then would hold emitters up again at once.
        _isGivenUp &= count > options.QueueEventsMax / 2 || bytes > options.QueueBytesMax / 2;

        Outlet?.OnReady(this);
    }

    /// <summary>Notes that one of its boxes has the event that is being matched; true for the first.</summary>
    internal bool Note(uint subscription)
    {
        _matched.Add(subscription);
        return _matched.Count == 1;
    }

    /// <summary>
    /// Whether an event, for the subscriptions that were noted, is to wait at its emitter for room in the queue: while a subscription asks
    /// for it, and the session acknowledges something from time to time.
    /// </summary>
    internal bool HoldsUp(LiveEvent live, long nowNs)
    {
        if (_blockingCount == 0 || _isGivenUp || !IsFullFor(EventEntry.BytesOf(live, _matched.Count)))
        {
            return false;
        }

        _heldSinceNs ??= nowNs;
        _isGivenUp = nowNs - _heldSinceNs > space.Options.BlockNs;
        return !_isGivenUp;
    }

    /// <summary>Queues an event for the subscriptions that were noted.</summary>
    /// <param name="live">The event.</param>
    /// <param name="sequence">The number of the delivery.</param>
    /// <param name="mayDrop">False within the grace of a start: the queue grows by what is kept, and no further.</param>
    internal void Deliver(LiveEvent live, ulong sequence, bool mayDrop)
    {
        _matched.Sort();
        var entry = new EventEntry(live, [.. _matched], sequence);
        _matched.Clear();
        if (!mayDrop)
        {
            _allowedEvents++;
            _allowedBytes += entry.Bytes;
        }

        while (_waiting.Count > 0 && IsFullFor(entry.Bytes))
        {
            DropOldest();
        }

        live.Hold();
        _waiting.Enqueue(entry);
        _waitingBytes += entry.Bytes;
        Outlet?.OnReady(this);
    }

    /// <summary>Forgets what was noted: it is not given the event.</summary>
    internal void Skip() => _matched.Clear();

    /// <summary>Drops the oldest event that waits; the next delivery tells it.</summary>
    internal void DropOldest()
    {
        EventEntry oldest = _waiting.Dequeue();
        _waitingBytes -= oldest.Bytes;
        DroppedCount++;
        space.OnDropped(oldest.Event);
    }

    internal void Add(EventSubscription subscription)
    {
        _subscriptions.Add(subscription.Number, subscription);
        _blockingCount += subscription.Blocks ? 1 : 0;
    }

    internal bool Remove(EventSubscription subscription)
    {
        bool isRemoved = _subscriptions.Remove(subscription.Number);
        _blockingCount -= isRemoved && subscription.Blocks ? 1 : 0;
        return isRemoved;
    }

    /// <summary>Lets go of everything.</summary>
    internal void End()
    {
        IsEnded = true;
        Outlet = null;
        Rewind();
        while (_waiting.TryDequeue(out EventEntry entry))
        {
            space.Release(entry.Event);
        }

        _waitingBytes = 0;
    }

    /// <summary>Whether the queue has no room for so many bytes more; an empty one has.</summary>
    private bool IsFullFor(long bytes)
    {
        int count = _waiting.Count + _sent.Count;
        return count > 0
            && (count >= space.Options.QueueEventsMax + _allowedEvents
                || _waitingBytes + _sentBytes + bytes > space.Options.QueueBytesMax + _allowedBytes);
    }

    private void Rewind()
    {
        if (_sent.Count == 0)
        {
            return;
        }

        foreach (EventEntry entry in _waiting)
        {
            _sent.Enqueue(entry);
        }

        (_waiting, _sent) = (_sent, _waiting);
        _sent.Clear();
        _waitingBytes += _sentBytes;
        _sentBytes = 0;
    }
}

/// <summary>Names a subscriber over its connections: who it is, proved, and its own number since its start.</summary>
/// <param name="Owner">A node or a token, in words.</param>
/// <param name="Epoch">The number.</param>
internal readonly record struct SessionKey(string Owner, ulong Epoch) : IComparable<SessionKey>
{
    /// <inheritdoc/>
    public int CompareTo(SessionKey other)
    {
        int byOwner = string.CompareOrdinal(Owner, other.Owner);
        return byOwner != 0 ? byOwner : Epoch.CompareTo(other.Epoch);
    }
}

/// <summary>An event that waits for a subscriber, or was sent to it.</summary>
/// <param name="Event">The event.</param>
/// <param name="Subscriptions">The subscriptions whose boxes have it, in order.</param>
/// <param name="Sequence">The number of the delivery: they grow in a host.</param>
internal readonly record struct EventEntry(LiveEvent Event, uint[] Subscriptions, ulong Sequence)
{
    private const int OwnBytes = 64;

    /// <summary>What it counts for in queue and window.</summary>
    public long Bytes => BytesOf(Event, Subscriptions.Length);

    /// <summary>What an event counts for that so many subscriptions have.</summary>
    public static long BytesOf(LiveEvent live, int subscriptions) => OwnBytes + live.Bytes + ((long)subscriptions * sizeof(uint));
}

/// <summary>A subscription: a box of a session.</summary>
/// <param name="Session">The session.</param>
/// <param name="Number">Its number there.</param>
/// <param name="Ranges">Its ranges as they were given; they make its box again when the space changes.</param>
/// <param name="Blocks">Emitters are to wait where the session's queue is full.</param>
internal sealed record EventSubscription(EventSession Session, uint Number, IReadOnlyList<NamedRange> Ranges, bool Blocks)
{
    /// <summary>Its box, and where it is in the index.</summary>
    public (Box Box, BoxId Id) Place { get; set; }
}

/// <summary>A connection that takes what is delivered. Core thread.</summary>
internal interface IEventOutlet
{
    /// <summary>Something may be there to be sent.</summary>
    void OnReady(EventSession session);

    /// <summary>A subscription was ended by the host.</summary>
    void OnEnded(EventSession session, uint subscription, Refusal refusal);

    /// <summary>Another connection took over the session.</summary>
    void OnReplaced(EventSession session);
}
