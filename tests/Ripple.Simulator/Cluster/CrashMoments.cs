using Ripple.Engine.Core;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster;

/// <summary>
/// Ends processes at the moments that matter, which chance alone seldom hits: soon after a start, in a handshake, when a join was answered,
/// while a snapshot is written, when a host becomes ready.
/// </summary>
internal sealed class CrashMoments(SimulatedWorld world, DeterministicRandom random, long untilNs, CalmWindows calms)
{
    private const double Share = 0.03;
    private const long SoonNs = 3_000_000;
    private const long PauseNsMax = 2_000_000_000;
    private readonly SortedDictionary<string, int> _counts = new(StringComparer.Ordinal);

    /// <summary>One of the moments has come.</summary>
    /// <param name="machine">The machine of the process.</param>
    /// <param name="moment">Its name, for the counters.</param>
    /// <param name="withinNs">The process ends within this time.</param>
    public void On(SimulatedMachine machine, string moment, long withinNs = SoonNs)
    {
        ArgumentNullException.ThrowIfNull(machine);
        string name = $"{char.ToLowerInvariant(moment[0])}{moment[1..]}-{machine}";
        int number = _counts[name] = _counts.GetValueOrDefault(name) + 1;
        name = $"{name}-{number}";
        long nowNs = world.Scheduler.NowNs;
        bool isCalm = calms.IsCalm(nowNs) || calms.NextStart(nowNs) - nowNs < PauseNsMax + withinNs;
        if (!world.Script.Place(random, name) || nowNs > untilNs - PauseNsMax || isCalm || !random.NextBool(Share))
        {
            return;
        }

        int life = machine.StartCount;
        bool isSilent = random.NextBool(0.3);
        if (world.Script.Takes(RunItem.Fault, name))
        {
            world.Scheduler.Schedule(1 + random.NextInt64(withinNs), () => End(machine, life, moment, isSilent, name));
        }
    }

    private void End(SimulatedMachine machine, int life, string moment, bool isSilent, string name)
    {
        if (!machine.IsRunning || machine.StartCount != life)
        {
            return;
        }

        world.Script.Place(random, $"end of {name}");
        long pauseNs = 1 + random.NextInt64(PauseNsMax);
        world.Faults.Add("crash" + moment);
        world.Trace?.AddFault(name, $"crash of {machine}", [machine], world.Scheduler.NowNs + pauseNs);
        machine.Crash(isSilent);
        world.Scheduler.Schedule(pauseNs, () =>
        {
            if (machine.TryStart())
            {
                world.Faults.Add(FaultKind.NodeRestart);
            }
        });
    }
}
