using Ripple.Testing.Clients;
using Ripple.Testing.Faults;
using Ripple.Testing.Scripts;
using Ripple.Testing.Tracing;

namespace Ripple.Testing.Cluster;

/// <summary>The faults that follow from what the cluster does, and those of disks.</summary>
public sealed partial class SimulatedCluster
{
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
        _oracles.OnRestored();
        Host.Restore(_copy!);
        _administrator?.OnRestored();
        // No real restore takes less than a second; the slot epoch relies on that.
        World.Scheduler.Schedule(2_000_000_000, () => Host.Machine.TryStart());
    }
}
