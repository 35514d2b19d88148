using Ripple.Engine.Core;
using Ripple.Testing.Faults;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// Ends processes at the moments that matter, which chance alone seldom hits: soon after a start, in a handshake, when a join was answered,
/// while a snapshot is written, when a host becomes ready.
/// </summary>
internal sealed class CrashMoments(SimulatedWorld world, DeterministicRandom random, long untilNs, CalmWindows calms)
{
    private const double Share = 0.03;
    private const long SoonNs = 3_000_000;
    private const long PauseNsMax = 2_000_000_000;

    /// <summary>One of the moments has come.</summary>
    /// <param name="machine">The machine of the process.</param>
    /// <param name="moment">Its name, for the counters.</param>
    /// <param name="withinNs">The process ends within this time.</param>
    public void On(SimulatedMachine machine, string moment, long withinNs = SoonNs)
    {
        ArgumentNullException.ThrowIfNull(machine);
        long nowNs = world.Scheduler.NowNs;
        bool isCalm = calms.IsCalm(nowNs) || calms.NextStart(nowNs) - nowNs < PauseNsMax + withinNs;
        if (nowNs > untilNs - PauseNsMax || isCalm || !random.NextBool(Share))
        {
            return;
        }

        int life = machine.StartCount;
        bool isSilent = random.NextBool(0.3);
        world.Scheduler.Schedule(1 + random.NextInt64(withinNs), () => End(machine, life, moment, isSilent));
    }

    private void End(SimulatedMachine machine, int life, string moment, bool isSilent)
    {
        if (!machine.IsRunning || machine.StartCount != life)
        {
            return;
        }

        world.Faults.Add("crash" + moment);
        machine.Crash(isSilent);
        world.Scheduler.Schedule(1 + random.NextInt64(PauseNsMax), () =>
        {
            if (!machine.IsRunning)
            {
                world.Faults.Add(FaultKind.NodeRestart);
                machine.Start();
            }
        });
    }
}
