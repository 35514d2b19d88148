using Ripple.Simulator.Cluster;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles.Costs;

/// <summary>
/// Has the processors of the host and of the nodes lose half of their speed for some seconds, and judges that a release costs hardly more
/// work then, and that nothing is late any more soon after: work that rises under pressure never ends.
/// </summary>
internal sealed class PressureChecker(SimulatedWorld world, SimulatedCluster cluster)
{
    private const string Name = "Pressure";
    private const double CostFactorMax = 1.3;
    // Who has half of the speed is short of it above a half, and who is busy before has nothing to come back with.
    private const double CalmUseMin = 0.5;
    private const double CalmUseMax = 0.85;
    private const double DelayFactorMax = 2;
    private const long SecondNs = 1_000_000_000;
    private const long CalmNs = 10 * SecondNs;
    private const long BeginNs = 20 * SecondNs;
    private const long EndNs = BeginNs + (8 * SecondNs);
    private const long OverNs = EndNs + (5 * SecondNs);
    private const long LastNs = OverNs + (6 * SecondNs);
    private readonly SimulatedProcessor _host = new();
    private readonly SimulatedProcessor _nodes = new();
    private double _calmCostNs;

    /// <summary>
    /// What a turn costs: the nodes of these clusters need some two thirds of their processor for the releases that are published.
    /// </summary>
    public static SimulatedMachineOptions MachineOptions { get; } = new() { TurnNs = 700_000, WorkNs = 140_000 };

    /// <summary>Gives machines their processors and schedules the pressure; called before any machine starts.</summary>
    public void Start()
    {
        foreach (SimulatedMachine machine in world.Machines)
        {
            machine.Processor = machine == cluster.Host.Machine ? _host : _nodes;
        }

        Measure(CalmNs, BeginNs, costNs => _calmCostNs = costNs);
        long workedNs = 0;
        world.Scheduler.Schedule(CalmNs, () => workedNs = _nodes.WorkedNs);
        world.Scheduler.Schedule(BeginNs, () => CheckUse((_nodes.WorkedNs - workedNs) / (double)(BeginNs - CalmNs)));
        Measure(BeginNs, OverNs, CheckCost);
        world.Scheduler.Schedule(BeginNs, () => SetSpeed(0.5));
        world.Scheduler.Schedule(EndNs, () => SetSpeed(1));
    }

    /// <summary>Judges the delays; called at the end.</summary>
    public void CheckEnd()
    {
        double calmMs = MedianMs(CalmNs, BeginNs);
        double afterMs = MedianMs(OverNs, LastNs);
        if (!(afterMs <= calmMs * DelayFactorMax))
        {
            world.Fail(
                Name,
                $"{(OverNs - EndNs) / SecondNs} s after the pressure a release takes {afterMs:F0} ms to the last node; {calmMs:F0} before");
        }
    }

    private void SetSpeed(double speed) => _host.Speed = _nodes.Speed = speed;

    private void Measure(long fromNs, long toNs, Action<double> onMeasured) => world.Scheduler.Schedule(fromNs, () =>
    {
        long workedNs = _host.WorkedNs + _nodes.WorkedNs;
        long committed = cluster.CommittedCount;
        world.Scheduler.Schedule(toNs - fromNs, () =>
            onMeasured((_host.WorkedNs + _nodes.WorkedNs - workedNs) / (double)(cluster.CommittedCount - committed)));
    });

    /// <summary>A run that is not what it says proves nothing.</summary>
    private void CheckUse(double use)
    {
        if (!(use is >= CalmUseMin and <= CalmUseMax))
        {
            world.Fail(Name, $"before the pressure the nodes need {use:F2} of their processor; {CalmUseMin} to {CalmUseMax} is meant");
        }
    }

    private void CheckCost(double costNs)
    {
        if (!(costNs <= _calmCostNs * CostFactorMax))
        {
            world.Fail(
                Name,
                $"a release under pressure costs {costNs / 1_000_000:F0} ms of work; {_calmCostNs / 1_000_000:F0} before");
        }
    }

    /// <summary>The median time from a commit until the last node has received the release, over the commits of a while.</summary>
    private double MedianMs(long fromNs, long toNs)
    {
        List<double> delaysMs = [];
        ModelRelease? newest = cluster.Oracles.Model.Of(SimulatedCluster.Application).Newest;
        for (ModelRelease? release = newest; release is not null; release = release.Previous)
        {
            if (release.CommittedNs >= fromNs && release.CommittedNs < toNs)
            {
                long lastNs = cluster.Oracles.Members.Of(SimulatedCluster.Application)
                    .Max(n => n.ReachedNs(NodeLevel.Received, release.Generation, release.Release));
                delaysMs.Add((lastNs - release.CommittedNs) / 1e6);
            }
        }

        delaysMs.Sort();
        return delaysMs.Count == 0 ? double.NaN : delaysMs[delaysMs.Count / 2];
    }
}
