using Ripple.Simulator.Cluster;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles.Costs;

/// <summary>
/// When nobody has published for a while, nobody works: heartbeats, beacons and the ring's rounds are all there is.
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
    }

    private void Most(string what, long count, double most)
    {
        if (count > most)
        {
            world.Fail(Name, $"{count} {what} at rest, {most:F0} are enough");
        }
    }
}
