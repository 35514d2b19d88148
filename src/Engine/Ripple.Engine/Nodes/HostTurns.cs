using Ripple.Engine.Protocol.Joining;

namespace Ripple.Engine.Nodes;

/// <summary>
/// The hosts that a node asks to let it in, in turn: those it was configured with, behind them those that a host told it of, and before all
/// the one that another named as the leader. Core thread.
/// </summary>
internal sealed class HostTurns
{
    // Who is sent on again and again, or back, is not led to a leader: the hosts disagree, and it asks later.
    private const int HopsMax = 3;

    // A host that hangs, or a machine that is gone, costs seconds to ask: the others are asked without it for a while.
    private const long LeftOutNs = 15_000_000_000;
    private readonly IReadOnlyList<string> _configured;
    private readonly List<(string Endpoint, long UntilNs)> _leftOut = [];
    private readonly List<string> _hops = [];
    private List<string> _all;
    private string? _leader;
    private int _index;

    /// <param name="configured">The endpoints of the configuration; at least one.</param>
    /// <param name="told">Those that a host told an earlier process of.</param>
    public HostTurns(IReadOnlyList<string> configured, IReadOnlyList<string> told)
    {
        _configured = configured;
        _all = Join(configured, told);
    }

    /// <summary>How many hosts there are to ask.</summary>
    public int Count => _all.Count;

    /// <summary>The host whose turn it is.</summary>
    public string Current => _leader ?? _all[_index];

    /// <summary>The host to ask now: the next that is not left out, or the current one if all are.</summary>
    public string Next(long nowNs)
    {
        _leftOut.RemoveAll(l => l.UntilNs <= nowNs);
        for (int i = 0; i < _all.Count && IsLeftOut(Current); i++)
        {
            Advance();
        }

        return Current;
    }

    /// <summary>Leaves the current host out for a while: it costs too much time to ask.</summary>
    public void LeaveOut(long nowNs)
    {
        string current = Current;
        _leftOut.RemoveAll(l => l.Endpoint == current || l.UntilNs <= nowNs);
        _leftOut.Add((current, nowNs + LeftOutNs));
    }

    /// <summary>The turn of the next.</summary>
    public void Advance()
    {
        _leader = null;
        _hops.Clear();
        _index = (_index + 1) % _all.Count;
    }

    /// <summary>
    /// Turns to the leader that the current host named: to the host itself, once, where that is about to lead. False if it named none, or
    /// one that is left out or has already sent the node here, or after too many hosts that named another: then it is the turn of the next.
    /// </summary>
    public bool TryFollow(string? leader, long nowNs)
    {
        if (leader is not null && leader == Current && !_hops.Contains(leader))
        {
            _hops.Add(leader);
            return true;
        }

        _hops.Add(Current);
        _leftOut.RemoveAll(l => l.UntilNs <= nowNs);
        if (leader is null || _hops.Count > HopsMax || _hops.Contains(leader) || IsLeftOut(leader))
        {
            return false;
        }

        _leader = leader;
        return true;
    }

    /// <summary>The current host let the node in.</summary>
    public void Settle() => _hops.Clear();

    /// <summary>The hosts of the cluster, as the current host tells them, in place of those that were told before.</summary>
    public void Learn(IReadOnlyList<string> told)
    {
        string current = Current;
        _all = Join(_configured, told);
        int at = _all.IndexOf(current);
        (_index, _leader) = at >= 0 ? (at, null) : (0, current);
    }

    private static List<string> Join(IReadOnlyList<string> configured, IReadOnlyList<string> told) =>
        [.. configured, .. told.Except(configured, StringComparer.Ordinal).Take(ClusterHosts.EndpointsMax)];

    private bool IsLeftOut(string endpoint) => _leftOut.Exists(l => l.Endpoint == endpoint);
}
