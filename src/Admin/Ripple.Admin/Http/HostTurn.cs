using Ripple.Trust;

namespace Ripple.Admin.Http;

/// <summary>The host that a request is sent to, and what led to it. Immutable.</summary>
/// <param name="Number">Grows with each host that was passed over.</param>
/// <param name="Leader">The host that another named as the leader; null to ask the host of the connection string.</param>
internal sealed record HostTurn(uint Number, HostEndpoint? Leader);

/// <summary>Which host is asked next. Thread-safe.</summary>
/// <param name="endpoints">The hosts of the connection string.</param>
internal sealed class HostTurns(IReadOnlyList<HostEndpoint> endpoints)
{
    private HostTurn _current = new(0, null);

    /// <summary>Whose turn it is.</summary>
    public HostTurn Current => Volatile.Read(ref _current);

    /// <summary>Where a turn's host is.</summary>
    public HostEndpoint EndpointOf(HostTurn turn) => turn.Leader ?? endpoints[(int)(turn.Number % (uint)endpoints.Count)];

    /// <summary>
    /// Directs the next request to another host, which may be in better shape, even if this one fails for good. Of several requests that
    /// failed at the same host, only the first advances the turn.
    /// </summary>
    public void PassOver(HostTurn turn) =>
        Interlocked.CompareExchange(ref _current, new HostTurn(unchecked(turn.Number + 1), null), turn);

    /// <summary>Directs this request and the next ones to the leader that a host named, until it fails.</summary>
    public HostTurn Follow(HostTurn turn, HostEndpoint leader)
    {
        HostTurn next = turn with { Leader = leader };
        Interlocked.CompareExchange(ref _current, next, turn);
        return next;
    }
}
