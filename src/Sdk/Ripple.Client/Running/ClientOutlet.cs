using Ripple.Engine.Core;

namespace Ripple.Client.Running;

/// <summary>
/// The way out of the core for one client: bounded. When its dispatcher is behind, the newest connection state, the newest release and the candidate of each
/// application wait here in one place each, and what they replace is counted. Core thread, but for <see cref="Events"/> and <see cref="HasWaiting"/>.
/// </summary>
internal sealed class ClientOutlet(Action onEvent)
{
    /// <summary>The most events that wait in order.</summary>
    public const int EventsMax = 256;

    private readonly SortedDictionary<string, RippleRelease> _applied = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, ClientEvent.Candidate> _candidates = new(StringComparer.Ordinal);
    private ConnectionStateChange? _connection;
    private volatile bool _hasWaiting;

    /// <summary>What waits in order; the dispatcher takes it.</summary>
    public Outlet<ClientEvent> Events { get; } = new(EventsMax, onEvent);

    /// <summary>True when something waits outside the order: have <see cref="Flush"/> called on the core once the order is empty.</summary>
    public bool HasWaiting => _hasWaiting;

    public void Post(ConnectionStateChange change)
    {
        if (_hasWaiting || !Events.TryPost(new ClientEvent.Connection(change)))
        {
            _connection = change;
            _hasWaiting = true;
        }
    }

    public void Post(RippleRelease release)
    {
        if (!_hasWaiting && Events.TryPost(new ClientEvent.Applied(release)))
        {
            return;
        }

        _applied[release.Application] = _applied.TryGetValue(release.Application, out RippleRelease? replaced) ? release.Replacing([replaced]) : release;
        _hasWaiting = true;
    }

    public void Post(ClientEvent.Candidate candidate)
    {
        if (_hasWaiting || !Events.TryPost(candidate))
        {
            // An application has one candidate at a time: nothing is replaced.
            _candidates[candidate.Release.Application] = candidate;
            _hasWaiting = true;
        }
    }

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
