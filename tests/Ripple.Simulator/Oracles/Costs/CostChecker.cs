using Ripple.Simulator.Cluster;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Network;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles.Costs;

/// <summary>Lets the one thing of such a run happen, and has the run judged: how long things took, how often, and how it rests.</summary>
internal sealed class CostChecker
{
    private const long EventNs = 20_000_000_000;
    private const long DownNs = 3_000_000_000;
    private static readonly PathProfile OneOfHundred = new() { Loss = 0.01 };
    private readonly SimulatedWorld _world;
    private readonly SimulatedCluster _cluster;
    private readonly CostEvent _happens;
    private readonly DelayChecker _delays;
    private readonly CountChecker _counts;
    private readonly RestChecker _rest;

    /// <param name="world">The world.</param>
    /// <param name="cluster">The cluster.</param>
    /// <param name="happens">What happens.</param>
    /// <param name="limits">What it may cost.</param>
    public CostChecker(SimulatedWorld world, SimulatedCluster cluster, CostEvent happens, CostLimits limits)
    {
        _world = world;
        _cluster = cluster;
        _happens = happens;
        _delays = new DelayChecker(world, cluster, limits);
        _counts = new CountChecker(world, cluster, happens, limits);
        _rest = new RestChecker(world, cluster, limits);
    }

    /// <summary>Schedules what happens.</summary>
    /// <param name="quietNs">When the last publish is asked.</param>
    public void Start(long quietNs)
    {
        _delays.Start();
        _counts.Start();
        _rest.Start(quietNs);
        if (!_world.Script.Takes(RunItem.Fault, "event"))
        {
            return;
        }

        SimulatedMachine? machine = _happens switch
        {
            CostEvent.NodeCrash => _cluster.Clients[(int)(_world.Seed / 4 % (ulong)_cluster.Clients.Count)].Machine,
            CostEvent.HostCrash => _cluster.Host.Machine,
            _ => null,
        };
        if (machine is not null)
        {
            _world.Scheduler.Schedule(EventNs, () => End(machine));
        }

        if (_happens == CostEvent.Loss)
        {
            _world.Paths.Disturb(OneOfHundred);
        }
    }

    /// <summary>Judges the run.</summary>
    public void CheckEnd()
    {
        _delays.CheckEnd();
        _counts.CheckEnd();
        _rest.CheckEnd();
    }

    private void End(SimulatedMachine machine)
    {
        _world.Faults.Add(_happens == CostEvent.HostCrash ? FaultKind.HostCrash : FaultKind.NodeCrash);
        machine.Crash(isSilent: _world.Seed % 8 < 4);
        if (_happens == CostEvent.HostCrash)
        {
            _delays.OnHostEnded();
        }

        _world.Scheduler.Schedule(DownNs, () =>
        {
            machine.TryStart();
            if (_happens == CostEvent.HostCrash)
            {
                _delays.OnHostStarted();
            }
        });
    }
}
