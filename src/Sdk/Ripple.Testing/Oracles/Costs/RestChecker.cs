using Ripple.Engine.Frontier;
using Ripple.Engine.Releases;
using Ripple.Testing.Cluster;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Oracles.Costs;

/// <summary>
/// When nobody has published for a while, nobody works: heartbeats, beacons and the ring's rounds are all there is. And the host knows of
/// each node exactly what is true.
/// </summary>
internal sealed class RestChecker(SimulatedWorld world, SimulatedCluster cluster, CostLimits limits)
{
    private const string Name = "Rest";
    private const long SettledNs = 10_000_000_000;

    private readonly List<long> _turns = [];
    private long _datagrams;
    private long _frames;
    private long _sinceNs;

    /// <summary>Schedules the look at where the rest begins.</summary>
    /// <param name="quietNs">When the last publish is asked.</param>
    public void Start(long quietNs) => world.Scheduler.Schedule(quietNs + SettledNs, () =>
    {
        _sinceNs = world.Scheduler.NowNs;
        _turns.AddRange(world.Machines.Select(m => m.StepCount));
        _datagrams = world.Network.SentCount;
        _frames = world.Control.DeliveredCount;
    });

    /// <summary>Judges the time since then.</summary>
    public void CheckEnd()
    {
        if (_turns.Count > 0)
        {
            double seconds = (world.Scheduler.NowNs - _sinceNs) / 1e9;
            double most = limits.RestEach * seconds * world.Machines.Count;
            Most("datagrams", world.Network.SentCount - _datagrams, most);
            Most("control frames", world.Control.DeliveredCount - _frames, most);
            foreach (SimulatedMachine machine in world.Machines)
            {
                bool isHost = machine == cluster.Host.Machine;
                Most($"turns of {machine}", machine.StepCount - _turns[machine.Index], isHost ? most : limits.RestTurns * seconds);
            }
        }

        foreach (SimulatedClient client in cluster.Clients.Where(c => !c.Machine.IsAbsent))
        {
            foreach (string application in client.Applications)
            {
                CheckRow(client, application);
            }
        }
    }

    private void CheckRow(SimulatedClient client, string application)
    {
        ApplicationReplica replica = client.Node!.Find(application)!;
        FrontierTable table = cluster.Host.Gms!.FrontierOf(application)!.Table;
        ulong node = client.Machine.Peer.NodeIdLow;
        FrontierRow? row = table.Rows.FirstOrDefault(r => r is { IsGone: false, Member.IsHost: false } && r.Member.Node.Low == node);
        var told = (row?.Generation, row?.Received, row?.Persisted, row?.Applied);
        var direct = (row?.Generation, row?.DirectReceived, row?.DirectPersisted, row?.DirectApplied);
        uint generation = replica.Received.Keys.Generation;
        (uint?, ulong?, ulong?, ulong?) truth = (
            generation, replica.Received.Keys.Release, client.SavedPosition(application, generation), replica.Applied.Keys.Release);
        if (told != truth || direct != truth)
        {
            world.Fail(
                Name,
                $"at rest the host says of {client.Machine} in {application} {told}, directly {direct}; true is {truth}",
                client.Machine);
        }
    }

    private void Most(string what, long count, double most)
    {
        if (count > most)
        {
            world.Fail(Name, $"{count} {what} at rest, {most:F0} are enough");
        }
    }
}
