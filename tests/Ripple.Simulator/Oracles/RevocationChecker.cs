using Ripple.Simulator.Checking;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// A node whose token is revoked is out within some seconds, and does not stay in when it comes back: a host notices a change of the tokens
/// within a second, and reads them again.
/// </summary>
internal sealed class RevocationChecker(SimulatedWorld world, MembershipBook members) : IChecker
{
    private const long LateNs = 5_000_000_000;
    private readonly SortedDictionary<string, long> _revokedNs = new(StringComparer.Ordinal);
    private SortedDictionary<string, long> _revokedOfCopy = new(StringComparer.Ordinal);

    /// <inheritdoc/>
    public string Name => "Revocation";

    /// <summary>Called when a revocation is durable.</summary>
    public void OnRevoked(string token) => _revokedNs.TryAdd(token, world.Scheduler.NowNs);

    /// <summary>Called when a copy of the disk is made.</summary>
    public void OnCopied() => _revokedOfCopy = new SortedDictionary<string, long>(_revokedNs, StringComparer.Ordinal);

    /// <summary>Called when the copy replaces the disk: what was revoked since is good again.</summary>
    public void OnRestored()
    {
        _revokedNs.Clear();
        foreach ((string token, long ns) in _revokedOfCopy)
        {
            _revokedNs.Add(token, ns);
        }
    }

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (_revokedNs.Count == 0)
        {
            return;
        }

        foreach (NodeRecord node in members.At(world.LastStepped))
        {
            if (node.IsAlive
                && node.Session is { } session
                && _revokedNs.TryGetValue(node.Machine.Peer.TokenId, out long revokedNs)
                && IsLate(node, session, revokedNs, nowNs))
            {
                world.Fail(
                    Name,
                    $"the token of {node} was revoked {(nowNs - revokedNs) / 1_000_000} ms ago, and it is a member since "
                        + $"{(nowNs - session.JoinedNs) / 1_000_000} ms");
            }
        }
    }

    private bool IsLate(NodeRecord node, NodeSessionRecord session, long revokedNs, long nowNs)
    {
        long sinceNs = Math.Max(revokedNs, session.JoinedNs);
        return sinceNs + LateNs < nowNs
            && members.IsHostAlive(session.HostLife)
            && members.IsHostQuietSince(sinceNs)
            && members.IsQuietSince(node, sinceNs);
    }
}
