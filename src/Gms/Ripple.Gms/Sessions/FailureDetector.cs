using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Decides which nodes are gone: by their silence alone after the missed heartbeats of the options, and sooner where their ring accuses
/// them too and this host may believe its own clock and network. Core thread.
/// </summary>
/// <param name="core">The core.</param>
/// <param name="options">The options.</param>
/// <param name="counters">Counts what the rings found.</param>
/// <param name="tickNs">How often it is asked to look, in nanoseconds.</param>
internal sealed class FailureDetector(CoreLoop core, GmsOptions options, GmsCounters counters, long tickNs)
{
    /// <summary>From so many heartbeats without a frame on, a member is overdue.</summary>
    private const double OverdueHeartbeats = 1.5;

    /// <summary>
    /// After so many heartbeats without a frame a member that its ring accuses is removed: one that stood still for a second between two
    /// heartbeats has been heard again by then.
    /// </summary>
    private const double AccusedHeartbeats = 2.25;

    private readonly LocalHealth _health = new(tickNs, (options.HeartbeatsMissedMax + 1) * options.HeartbeatNs);

    /// <summary>Closes the connections of nodes that are gone. Connections leave the list meanwhile.</summary>
    public void Look(IReadOnlyCollection<NodeConnection> connections)
    {
        CloseSilent(connections);
        CloseAccused(connections);
    }

    /// <summary>Whether a node was heard lately: its next heartbeat is not overdue.</summary>
    public bool IsHeard(NodeConnection connection) => SilentNs(connection) <= OverdueHeartbeats * HeartbeatNs(connection);

    private void CloseSilent(IReadOnlyCollection<NodeConnection> connections)
    {
        long silentMaxNs = (options.HeartbeatsMissedMax + 1) * options.HeartbeatNs;
        foreach (NodeConnection connection in connections.Where(c => SilentNs(c) > silentMaxNs).ToArray())
        {
            connection.Close(
                string.Create(CultureInfo.InvariantCulture, $"{options.HeartbeatsMissedMax} heartbeats were missed"), RemovalCause.Failed);
        }
    }

    /// <summary>
    /// Closes connections of members that neither their ring nor this host hears: sooner than one of them alone would be believed.
    /// </summary>
    private void CloseAccused(IReadOnlyCollection<NodeConnection> connections)
    {
        int members = connections.Count(c => c.State is ConnectionState.Member);
        int overdue = connections.Count(c => c.State is ConnectionState.Member && !IsHeard(c));
        if (!_health.Look(core.NowNs, overdue, members) || overdue == 0)
        {
            return;
        }

        foreach (NodeConnection connection in connections
            .Where(c => SilentNs(c) > AccusedHeartbeats * HeartbeatNs(c) && c.Suspicion.IsAccused(core.NowNs)).ToArray())
        {
            counters.FailuresByRing++;
            NodeId accuser = connection.Suspicion.Accuser;
            string name = connections.FirstOrDefault(c => c.Node == accuser)?.Name ?? accuser.ToString();
            connection.Close($"neither its ring, as '{name}' told, nor the host hears it", RemovalCause.Failed);
        }
    }

    private long SilentNs(NodeConnection connection) => core.NowNs - connection.LastHeardNs;

    private long HeartbeatNs(NodeConnection connection) => Math.Max(options.HeartbeatNs, connection.HeartbeatGapNs);
}

/// <summary>
/// Whether this host may believe that others are silent (Lifeguard: local health). One that was late itself, or that misses many members
/// at once, more likely lacks the time or the network to hear them. Core thread.
/// </summary>
/// <param name="tickNs">How often it is looked at, in nanoseconds.</param>
/// <param name="doubtNs">How long it doubts itself after it was late, in nanoseconds.</param>
internal sealed class LocalHealth(long tickNs, long doubtNs)
{
    /// <summary>From one member of as many on, that are overdue at a time, it doubts itself.</summary>
    private const int OverdueShare = 4;

    private long? _lookedNs;
    private long _doubtsUntilNs = long.MinValue;

    /// <summary>Looks, once a tick. False while it doubts itself.</summary>
    /// <param name="nowNs">The time.</param>
    /// <param name="overdue">The members whose heartbeat is overdue.</param>
    /// <param name="members">All members.</param>
    public bool Look(long nowNs, int overdue, int members)
    {
        if (nowNs - (_lookedNs ?? nowNs) > 2 * tickNs)
        {
            _doubtsUntilNs = nowNs + doubtNs;
        }

        _lookedNs = nowNs;
        return nowNs >= _doubtsUntilNs && overdue <= Math.Max(1, members / OverdueShare);
    }
}
