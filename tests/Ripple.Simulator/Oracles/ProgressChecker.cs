using Ripple.Simulator.Faults;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// In each calm window, within 3 s and the time the missing bytes take on the host's line, every node is joined, has the newest release and
/// has it in effect or rejected it. Unless <see cref="Judges.Rejoining"/> says otherwise, only nodes that were joined when the calm began
/// are judged, and undisturbed like the host for some time by then: finding out that a connection is dead, and the pauses between attempts
/// to connect, take longer than 3 s.
/// </summary>
internal sealed class ProgressChecker(SimulatedWorld world, ClusterOracles oracles, CalmWindows calms, long activeNs)
{
    private const string Name = "Progress";
    private const long QuietNs = 3_000_000_000;
    private const long SettledNs = 5_000_000_000;
    private readonly List<(NodeRecord Node, NodeSessionRecord Session)> _joined = [];

    /// <summary>Schedules the looks at all windows before the final quiet of the run.</summary>
    public void Start()
    {
        for (long ns = calms.NextStart(0); ns != long.MaxValue && ns + calms.LengthNs <= activeNs; ns = calms.NextStart(ns + 1))
        {
            world.Scheduler.Schedule(ns, OnCalm);
        }
    }

    private void OnCalm()
    {
        _joined.Clear();
        long sinceNs = Math.Max(1, world.Scheduler.NowNs - SettledNs);
        bool isHostSettled = oracles.Members.IsHostReady && oracles.Members.IsHostQuietSince(sinceNs);
        foreach (NodeRecord node in oracles.Members.Nodes)
        {
            if (isHostSettled
                && node is { IsCaptured: false, Session: { } session }
                && oracles.Members.IsHostAlive(session.HostLife)
                && oracles.Members.IsCertainSince(node, sinceNs))
            {
                _joined.Add((node, session));
            }
        }

        long bits = oracles.Members.Nodes.Sum(oracles.MissingBytes) * 8;
        long lineNs = (long)(bits * 1e9 / world.Options.Network.LineBitsPerSecond);
        if (QuietNs + lineNs < calms.LengthNs)
        {
            int hostLife = oracles.Members.HostLife;
            world.Scheduler.Schedule(QuietNs + lineNs, () => Judge(hostLife));
        }
    }

    private void Judge(int hostLife)
    {
        bool isOfAll = (oracles.Judges & Judges.Rejoining) != 0;
        foreach (NodeRecord node in oracles.Members.Nodes)
        {
            bool isJudged = (isOfAll && !node.IsCaptured)
                || _joined.Exists(j => j.Node == node && (node.Session is null || node.Session == j.Session));
            if (isJudged && oracles.Members.HostLife == hostLife && oracles.Missing(node) is { } missing)
            {
                bool wasJoined = _joined.Exists(j => j.Node == node);
                world.Fail(
                    Name,
                    $"{QuietNs / 1_000_000_000} s into a calm {missing}; it {(wasJoined ? "was" : "was not")} joined and undisturbed "
                        + $"when it began",
                    [.. oracles.AboutMissing(node)]);
            }
        }
    }
}
