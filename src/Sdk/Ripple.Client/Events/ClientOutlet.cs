using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Client.Events;

/// <summary>
/// The bounded queue of events from the core to one client's dispatcher. While the queue is full, only the newest connection state and, for
/// each application, the newest release and the candidate are held aside; a release counts the ones it replaced. Core thread, except
/// <see cref="Events"/> and <see cref="HasWaiting"/>, which are thread-safe.
/// </summary>
internal sealed class ClientOutlet(Action onEvent)
{
    /// <summary>Maximum number of events in the queue.</summary>
    public const int EventsMax = 256;

    private readonly SortedDictionary<string, RippleRelease> _applied = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, ClientEvent.Candidate> _candidates = new(StringComparer.Ordinal);
    private ConnectionStateChange? _connection;
    private volatile bool _hasWaiting;

    /// <summary>The queue, drained by the dispatcher.</summary>
    public Outlet<ClientEvent> Events { get; } = new(EventsMax, onEvent);

    /// <summary>Whether events are held aside: call <see cref="Flush"/> on the core thread once the queue is empty.</summary>
    public bool HasWaiting => _hasWaiting;

    /// <summary>Adds a change of the connection state.</summary>
    public void Post(ConnectionStateChange change)
    {
        if (_hasWaiting || !Events.TryPost(new ClientEvent.Connection(change)))
        {
            _connection = change;
            _hasWaiting = true;
        }
    }

    /// <summary>Adds a release that took effect.</summary>
    public void Post(RippleRelease release)
    {
        if (!_hasWaiting && Events.TryPost(new ClientEvent.Applied(release)))
        {
            return;
        }

        _applied[release.Application] = _applied.TryGetValue(release.Application, out RippleRelease? replaced)
            ? release.Replacing([replaced])
            : release;
        _hasWaiting = true;
    }

    /// <summary>Adds a release awaiting a decision.</summary>
    public void Post(ClientEvent.Candidate candidate)
    {
        if (_hasWaiting || !Events.TryPost(candidate))
        {
            // An application has at most one candidate at a time, so nothing is replaced.
            _candidates[candidate.Release.Application] = candidate;
            _hasWaiting = true;
        }
    }

    /// <summary>Adds a refusal; dropped while the queue is full.</summary>
    public void Post(ClientEvent.Refused refused)
    {
        if (!_hasWaiting)
        {
            Events.TryPost(refused);
        }
    }

    /// <summary>Moves the events held aside into the queue, as far as there is room.</summary>
    public void Flush()
    {
        while (_applied.Count > 0 && Events.TryPost(new ClientEvent.Applied(_applied.First().Value)))
        {
            _applied.Remove(_applied.First().Key);
        }

        while (_candidates.Count > 0 && Events.TryPost(_candidates.First().Value))
        {
            _candidates.Remove(_candidates.First().Key);
        }

        if (_connection is { } change && Events.TryPost(new ClientEvent.Connection(change)))
        {
            _connection = null;
        }

        _hasWaiting = _applied.Count > 0 || _candidates.Count > 0 || _connection is not null;
    }
}

/// <summary>An event sent by the core to a client's dispatcher. Immutable.</summary>
internal abstract record ClientEvent
{
    /// <summary>The connection's state changed.</summary>
    public sealed record Connection(ConnectionStateChange Change) : ClientEvent;

    /// <summary>A release took effect.</summary>
    public sealed record Applied(RippleRelease Release) : ClientEvent;

    /// <summary>Something received was refused; <c>Omitted</c> more of its kind were not reported since the last one.</summary>
    public sealed record Refused(string Application, IntakeRefusal Refusal, long Omitted) : ClientEvent;

    /// <summary>
    /// A release awaits user code's decision. Call <c>Decide</c> once, off the core thread: null accepts, a reason rejects.
    /// </summary>
    public sealed record Candidate(RippleRelease Release, Action<string?> Decide) : ClientEvent
    {
        /// <summary>The newest release, which was rejected, if this is an earlier one to start from; else 0.</summary>
        public ulong RejectedNewer { get; init; }
    }
}
