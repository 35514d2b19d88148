using Ripple.Engine.Core;
using Ripple.Simulator.Clients;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Oracles.Costs;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulator.Cluster;

/// <summary>The faults that are not drawn with the plan: those that follow from what the cluster does, of disks and of tokens.</summary>
public sealed partial class SimulatedCluster
{
    private bool Has(ClusterFaults fault) => (_more & fault) != 0;

    private SimulatedMachineOptions? MachineOptions() =>
        _options.HasPressure ? PressureChecker.MachineOptions
        : _drifts is null ? null
        : new SimulatedMachineOptions { ClockDriftPpm = (int)_drifts.NextInt64(601) - 300 };

    private List<FaultKind> FaultKinds()
    {
        List<FaultKind> kinds = [.. new FaultPlanOptions().Kinds];
        kinds.AddRange(Has(ClusterFaults.Slow) ? [FaultKind.Slow, FaultKind.Slow] : []);
        kinds.AddRange(Has(ClusterFaults.Deaf) ? [FaultKind.Deaf, FaultKind.Deaf] : []);
        kinds.AddRange(Has(ClusterFaults.Clock) ? [FaultKind.ClockJump, FaultKind.ClockJump] : []);
        return kinds;
    }

    private void BeginMoreFaults(long activeNs)
    {
        if (Has(ClusterFaults.Moments))
        {
            _moments = new CrashMoments(World, World.Random.Fork(22), activeNs, _calms);
        }

        if (Has(ClusterFaults.Revocation))
        {
            // An attack expels its captured member itself.
            List<SimulatedClient> honest = [.. _clients.Where(c => !c.IsCaptured)];
            _administrator = new Administrator(World, Host, honest, _oracles, World.Random.Fork(24), activeNs);
            _administrator.Start();
        }

        if (Has(ClusterFaults.HostDisk))
        {
            DeterministicRandom chance = World.Random.Fork(25);
            if (World.Script.Takes(RunItem.Fault, "host-disk"))
            {
                Host.Disk.Break(DiskFaults.Some, chance);
            }

            World.Scheduler.Schedule(activeNs, Host.Disk.Mend);
            new HostSupervisor(World, Host, World.Random.Fork(26)).Start();
        }
    }

    /// <summary>Some nodes are down when the host is restored, and come back within some seconds.</summary>
    private void SendAway(long restoreNs)
    {
        if (!Has(ClusterFaults.RestoreWhileAway))
        {
            return;
        }

        DeterministicRandom random = World.Random.Fork(27);
        foreach (SimulatedMachine machine in World.Machines)
        {
            if (machine == Host.Machine || !random.NextBool(0.4))
            {
                continue;
            }

            string name = $"away-{machine}";
            bool isTaken = World.Script.Takes(RunItem.Fault, name);
            long fromNs = restoreNs - random.NextInt64(5_000_000_000);
            long toNs = restoreNs + random.NextInt64(12_000_000_000);
            World.Scheduler.Schedule(fromNs, () =>
            {
                World.Script.Place(random, name);
                bool isSilent = random.NextBool(0.3);
                if (isTaken && !machine.IsAbsent)
                {
                    World.Faults.Add("awayAtRestore");
                    World.Trace?.AddFault(name, $"{machine} is away", [machine], toNs);
                    machine.Crash(isSilent);
                }
            });
            World.Scheduler.Schedule(toNs, () => machine.TryStart());
        }
    }

    /// <summary>A crash between a commit and its consequences matters most, and chance alone seldom hits that moment.</summary>
    private void CrashSoon(Guid publish)
    {
        if (!_options.HasFaults
            || World.Scheduler.NowNs > _options.DurationNs - (2 * _options.QuietEndNs)
            || !World.Script.Place(_random, $"commit {publish}")
            || !_random.NextBool(0.05))
        {
            return;
        }

        string name = $"crash-{publish.ToString("N")[..8]}";
        World.Scheduler.Schedule(1_000 + _random.NextInt64(1_000_000), () =>
        {
            World.Script.Place(_random, name);
            // A calm begins with the host up.
            bool isBeforeCalm = _calms.NextStart(World.Scheduler.NowNs) - World.Scheduler.NowNs < 2_200_000_000;
            if (Host.Machine.IsRunning
                && !isBeforeCalm
                && !_calms.IsCalm(World.Scheduler.NowNs)
                && World.Script.Takes(RunItem.Fault, name))
            {
                long downNs = 100_000_000 + _random.NextInt64(2_000_000_000);
                World.Faults.Add(FaultKind.HostCrash);
                World.Trace?.AddFault(
                    name, "HostCrash of host, soon after a commit", [Host.Machine], World.Scheduler.NowNs + downNs);
                Host.Machine.Crash();
                World.Scheduler.Schedule(downNs, () =>
                {
                    World.Faults.Add(FaultKind.HostRestart);
                    Host.Machine.TryStart();
                });
            }
        });
    }

    /// <summary>Lets the disks of real clients fail until the quiet end.</summary>
    private void BreakFolders(long untilNs)
    {
        if (!_options.HasFaults || !World.Script.Takes(RunItem.Fault, "folders"))
        {
            return;
        }

        foreach (SimulatedRippleClient client in _clients.OfType<SimulatedRippleClient>())
        {
            client.Folder.Faults = FolderFaults.Some;
            World.Scheduler.Schedule(untilNs, () => client.Folder.Faults = new FolderFaults());
        }
    }

    private void Copy()
    {
        World.Trace?.Add(TraceKind.Copied, Host.Machine, "its disk is copied");
        _copy = Host.Disk.Copy();
        _oracles.OnCopied();
    }

    private void Restore()
    {
        World.Faults.Add("hostRestore");
        Host.Machine.Crash();
        World.Trace?.Add(TraceKind.Restored, Host.Machine, "its disk is replaced by the copy");
        MarkFate mark = _options.RestoredMark ?? (World.Random.Fork(31).NextBool(0.5) ? MarkFate.Lost : MarkFate.Kept);
        World.Faults.Add($"mark{mark}");
        _oracles.OnRestored(isNoticed: mark != MarkFate.Copied);
        Host.Restore(_copy!, mark);
        _administrator?.OnRestored();
        _definitions.ForEach(d => d.OnRestored());
        _creator?.OnRestored();
        Events?.OnRestored();
        // No real restore takes less than a second; the slot epoch relies on that.
        World.Scheduler.Schedule(2_000_000_000, () => Host.Machine.TryStart());
    }
}
