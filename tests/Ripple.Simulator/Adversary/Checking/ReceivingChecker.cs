using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Adversary.Checking;

/// <summary>
/// An honest member stays able to receive: one that was joined without a break, on a network without faults, to a host that ran all the
/// time, has each release some seconds after its commit, whatever is forged meanwhile.
/// </summary>
internal sealed class ReceivingChecker(SimulatedWorld world, SimulatedCluster cluster)
{
    private const string Name = "Receiving";
    private const long LookNs = 250_000_000;

    /// <summary>Catching up asks again after 8 s at the latest.</summary>
    private const long LateNsMax = 12_000_000_000;

    private readonly SortedDictionary<int, (long SinceNs, ulong Incarnation)> _fit = [];
    private readonly Queue<(long AtNs, uint Generation, ulong Release)> _commits = [];
    private (uint Generation, ulong Release) _due;

    /// <summary>Since when a client is joined without a break and without a fault anywhere; null when it is not now.</summary>
    public long? FitSinceNs(SimulatedClient client)
    {
        ArgumentNullException.ThrowIfNull(client);
        bool isFit = IsFit(client)
            && _fit.TryGetValue(client.Machine.Index, out (long SinceNs, ulong Incarnation) fit)
            && fit.Incarnation == client.Accepted!.Incarnation;
        return isFit ? _fit[client.Machine.Index].SinceNs : null;
    }

    /// <summary>Looks from now on, at intervals.</summary>
    public void Start() => world.Scheduler.Schedule(LookNs, Look);

    /// <summary>Called when the host commits a release.</summary>
    public void OnCommitted(ReleaseHeader header)
    {
        ArgumentNullException.ThrowIfNull(header);
        if (header.Application == SimulatedCluster.Application)
        {
            _commits.Enqueue((world.Scheduler.NowNs, header.Generation, header.Release));
        }
    }

    private void Look()
    {
        world.Scheduler.Schedule(LookNs, Look);
        long nowNs = world.Scheduler.NowNs;
        while (_commits.TryPeek(out (long AtNs, uint Generation, ulong Release) commit) && nowNs - commit.AtNs > LateNsMax)
        {
            _due = (commit.Generation, commit.Release);
            _commits.Dequeue();
        }

        foreach (SimulatedClient client in cluster.Clients)
        {
            if (!client.IsCaptured)
            {
                Look(client, nowNs);
            }
        }
    }

    private void Look(SimulatedClient client, long nowNs)
    {
        if (!IsFit(client))
        {
            _fit.Remove(client.Machine.Index);
            return;
        }

        ulong incarnation = client.Accepted!.Incarnation;
        if (!_fit.TryGetValue(client.Machine.Index, out (long SinceNs, ulong Incarnation) fit) || fit.Incarnation != incarnation)
        {
            _fit[client.Machine.Index] = (nowNs, incarnation);
            return;
        }

        ApplicationReplica replica = client.Node!.Find(SimulatedCluster.Application)!;
        ReleaseState received = replica.Received.Keys;
        bool isBehind = received.Generation < _due.Generation
            || (received.Generation == _due.Generation && received.Release < _due.Release);
        if (isBehind && nowNs - fit.SinceNs > LateNsMax)
        {
            world.Fail(
                Name,
                $"{client.Machine} is at {received.Generation}/{received.Release}; {_due.Generation}/{_due.Release} was committed more "
                    + $"than {LateNsMax / 1_000_000} ms ago, it is joined, and nothing disturbed it; its chain is verified up to "
                    + $"{replica.Head.Release}, {replica.PendingCount} numbers wait in its intake, it asked to catch up "
                    + $"{client.Node.Counters.CatchUps} times");
        }
    }

    private bool IsFit(SimulatedClient client) =>
        client.Machine.IsRunning
        && client.Node is Node { IsJoined: true, Link: not null }
        && client.Accepted is not null
        && cluster.Host.Machine.IsRunning
        && cluster.Host.Gms is not null
        && client.Machine.PausedNs == 0
        && cluster.Host.Machine.PausedNs == 0
        && client.Machine.Slowness <= 1
        && !client.Machine.IsDeaf
        && cluster.Host.Machine.Slowness <= 1
        && world.Connectivity.PartitionCount == 0
        && world.Paths.DisturbanceCount == 0;
}
