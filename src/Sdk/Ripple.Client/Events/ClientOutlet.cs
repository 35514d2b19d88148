using Ripple.Engine.Core;

namespace Ripple.Client.Events;

/// <summary>
/// The bounded queue of events from the core to one client's dispatcher. While the queue is full, only the newest connection state, and of
/// each application the newest release and the candidate, are kept beside it; a release counts those it replaced. Core thread, except
/// <see cref="Events"/> and <see cref="HasWaiting"/>, which any thread may use.
/// </summary>
internal sealed class ClientOutlet(Action onEvent)
{
    /// <summary>The most events in the queue.</summary>
    public const int EventsMax = 256;

    private readonly SortedDictionary<string, RippleRelease> _applied = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, ClientEvent.Candidate> _candidates = new(StringComparer.Ordinal);
    private ConnectionStateChange? _connection;
    private volatile bool _hasWaiting;

    /// <summary>The queue; the dispatcher takes from it.</summary>
    public Outlet<ClientEvent> Events { get; } = new(EventsMax, onEvent);

    /// <summary>True when an event waits beside the queue: call <see cref="Flush"/> on the core thread once the queue is empty.</summary>
    public bool HasWaiting => _hasWaiting;

    /// <summary>Adds a change of the connection.</summary>
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

    /// <summary>Adds a release to be decided on.</summary>
    public void Post(ClientEvent.Candidate candidate)
    {
        if (_hasWaiting || !Events.TryPost(candidate))
        {
            // An application has one candidate at a time: nothing is replaced.
            _candidates[candidate.Release.Application] = candidate;
            _hasWaiting = true;
        }
    }

    /// <summary>Moves what waits beside the queue into it, as far as there is room.</summary>
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
