using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Simulator.Network;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Faults;

/// <summary>
/// The faults of one run, drawn from one seed before it begins, so that the system's behavior cannot change them. Faults may overlap. All
/// end before the quiet period at the end.
/// </summary>
internal sealed class FaultPlan
{
    private readonly SimulatedWorld _world;
    private readonly FaultPlanOptions _options;
    private readonly DeterministicRandom _random;
    private readonly List<SimulatedMachine> _hosts = [];
    private readonly List<SimulatedMachine> _nodes = [];
    private readonly List<PlannedFault> _timeline = [];

    /// <summary>Draws a plan for all machines currently in the world.</summary>
    public FaultPlan(SimulatedWorld world, DeterministicRandom random, FaultPlanOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(world);
        ArgumentNullException.ThrowIfNull(random);
        _world = world;
        _random = random;
        _options = options ?? new FaultPlanOptions();
        foreach (SimulatedMachine machine in world.Machines)
        {
            (machine.Peer.Kind == LinkPeerKind.Host ? _hosts : _nodes).Add(machine);
        }

        Draw();
    }

    /// <summary>
    /// The faults, ordered by start time. A planned crash is skipped if its machine is already down, or if the maximum number of machines
    /// is.
    /// </summary>
    public IReadOnlyList<PlannedFault> Timeline => _timeline;

    /// <summary>Schedules the faults in the world. Call once, at simulated time 0 of the run the plan is for.</summary>
    public void Start()
    {
        for (int i = 0; i < _timeline.Count; i++)
        {
            int number = i;
            _world.Scheduler.Schedule(_timeline[i].StartNs - _world.Scheduler.NowNs, () => Begin(number));
        }
    }

    private static bool IsDown(SimulatedMachine machine) => !machine.IsRunning && !machine.IsAbsent;

    private void Draw()
    {
        long lastNs = _options.DurationNs - _options.QuietEndNs;
        long startNs = _options.QuietStartNs;
        while (true)
        {
            startNs += 1 + _random.NextInt64(2 * _options.IntervalNs);
            if (startNs >= lastNs || _options.Kinds.Count == 0)
            {
                return;
            }

            // Most faults are short and a few are long: uniform over the orders of magnitude.
            double share = Math.Pow(200, -_random.NextDouble());
            long endNs = Math.Min(Math.Min(lastNs, _options.Calms.NextStart(startNs)), startNs + (long)(_options.LongestNs * share));
            FaultKind kind = _options.Kinds[_random.NextInt32(_options.Kinds.Count)];
            IReadOnlyList<SimulatedMachine>? machines = DrawMachines(kind);
            double strength = _random.NextDouble();
            PathProfile? added = AddedBy(kind, strength);
            bool isSilent = _random.NextBool(0.3);
            if (machines is not null && !_options.Calms.IsCalm(startNs))
            {
                _timeline.Add(
                    new PlannedFault(
                        kind, startNs, endNs, machines, added, isSilent && kind is FaultKind.NodeCrash or FaultKind.HostCrash, strength));
            }
        }
    }

    private List<SimulatedMachine>? DrawMachines(FaultKind kind) => kind switch
    {
        FaultKind.NodeCrash or FaultKind.Deaf => _nodes.Count == 0 ? null : [_nodes[_random.NextInt32(_nodes.Count)]],
        FaultKind.HostCrash => _hosts.Count == 0 ? null : [_hosts[_random.NextInt32(_hosts.Count)]],
        FaultKind.Pause or FaultKind.Slow or FaultKind.ClockJump => [_world.Machines[_random.NextInt32(_world.Machines.Count)]],
        FaultKind.Partition or FaultKind.OneWayPartition => _world.Machines.Count < 2 ? null : DrawSubset(),
        _ => _random.NextBool(0.5) ? [] : [_world.Machines[_random.NextInt32(_world.Machines.Count)]],
    };

    private List<SimulatedMachine> DrawSubset()
    {
        int size = 1 + _random.NextInt32(Math.Max(1, _world.Machines.Count / 2));
        var rest = new List<SimulatedMachine>(_world.Machines);
        var subset = new List<SimulatedMachine>(size);
        for (int i = 0; i < size; i++)
        {
            int index = _random.NextInt32(rest.Count);
            subset.Add(rest[index]);
            rest.RemoveAt(index);
        }

        return subset;
    }

    private static PathProfile? AddedBy(FaultKind kind, double strength) =>
        kind switch
        {
            FaultKind.LossBurst => new PathProfile { Loss = 0.01 + (0.3 * strength * strength) },
            FaultKind.DelayBurst =>
                new PathProfile { LatencyNs = (long)(100_000_000 * strength), JitterNs = (long)(100_000_000 * strength) },
            FaultKind.ReorderBurst =>
                new PathProfile { Reorder = 0.01 + (0.2 * strength), ReorderDelayNs = 1_000_000 + (long)(50_000_000 * strength) },
            FaultKind.DuplicationBurst => new PathProfile { Duplication = 0.01 + (0.2 * strength) },
            FaultKind.CorruptionBurst => new PathProfile { Corruption = 0.001 + (0.05 * strength) },
            _ => null,
        };

    /// <summary>Back or ahead, from 0.1 s to 10^6 s, uniform over the orders of magnitude.</summary>
    private static long JumpMicros(double strength)
    {
        double signed = (2 * strength) - 1;
        return Math.Sign(signed) * (long)Math.Pow(10, 5 + (7 * Math.Abs(signed)));
    }

    private void Begin(int number)
    {
        // The whole plan was drawn: what is left out here shifts nothing.
        PlannedFault fault = _timeline[number];
        if (!_world.Script.Takes(RunItem.Fault, number) || (fault.Machines.Count > 0 && fault.Machines.All(m => m.IsAbsent)))
        {
            return;
        }

        switch (fault.Kind)
        {
            case FaultKind.NodeCrash or FaultKind.HostCrash:
                Crash(number, fault);
                return;
            case FaultKind.Pause:
                fault.Machines[0].Pause(fault.EndNs - fault.StartNs);
                _world.Disturbances.Add(fault.Machines, fault.EndNs);
                break;
            case FaultKind.Slow:
                SimulatedMachine slow = fault.Machines[0];
                slow.Slowness = Math.Pow(10, 1 + (2 * fault.Strength));
                _world.Disturbances.Add(fault.Machines, fault.EndNs);
                End(fault, () => slow.Slowness = 1);
                break;
            case FaultKind.Deaf:
                SimulatedMachine deaf = fault.Machines[0];
                deaf.IsDeaf = true;
                _world.Disturbances.Add(fault.Machines, fault.EndNs);
                End(fault, () => deaf.IsDeaf = false);
                break;
            case FaultKind.ClockJump:
                SimulatedMachine wrong = fault.Machines[0];
                long jumpMicros = JumpMicros(fault.Strength);
                wrong.WallOffsetMicros += jumpMicros;
                End(fault, () => wrong.WallOffsetMicros -= jumpMicros);
                break;
            case FaultKind.Partition or FaultKind.OneWayPartition:
                Partition partition = _world.Connectivity.Cut(
                    fault.Machines, Others(fault.Machines), fault.Kind == FaultKind.OneWayPartition);
                // A host's side of the cut can do without the others; the others cannot do without a host.
                bool hasHost = fault.Machines.Any(_hosts.Contains);
                _world.Disturbances.Add(hasHost ? Others(fault.Machines) : fault.Machines, fault.EndNs);
                End(fault, partition.Heal);
                break;
            default:
                Disturbance disturbance = _world.Paths.Disturb(fault.Added!, fault.Machines.Count == 0 ? null : fault.Machines[0]);
                End(fault, disturbance.End);
                break;
        }

        _world.Faults.Add(fault.Kind);
        Trace(number, fault);
    }

    private void Trace(int number, PlannedFault fault) => _world.Trace?.AddFault(
        number.ToString(CultureInfo.InvariantCulture), fault.Describe(), fault.Machines, fault.EndNs);

    private void Crash(int number, PlannedFault fault)
    {
        bool isHost = fault.Kind == FaultKind.HostCrash;
        SimulatedMachine machine = fault.Machines[0];
        int downCount = (isHost ? _hosts : _nodes).Count(IsDown);
        if (IsDown(machine) || downCount >= (isHost ? _options.HostsDownMax : _options.NodesDownMax))
        {
            return;
        }

        _world.Faults.Add(fault.Kind);
        Trace(number, fault);
        if (_options.Crash is null)
        {
            machine.Crash(fault.IsSilent);
        }
        else
        {
            _options.Crash(machine, fault.IsSilent);
        }

        End(fault, () =>
        {
            _world.Faults.Add(isHost ? FaultKind.HostRestart : FaultKind.NodeRestart);
            if (_options.Restart is null)
            {
                machine.TryStart();
            }
            else
            {
                _options.Restart(machine);
            }
        });
    }

    private void End(PlannedFault fault, Action end) => _world.Scheduler.Schedule(fault.EndNs - fault.StartNs, end);

    private List<SimulatedMachine> Others(IReadOnlyList<SimulatedMachine> machines)
    {
        var others = new List<SimulatedMachine>(_world.Machines.Count);
        foreach (SimulatedMachine machine in _world.Machines)
        {
            if (!machines.Contains(machine))
            {
                others.Add(machine);
            }
        }

        return others;
    }
}
