using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster;

/// <summary>
/// A host that is restored from a copy gives the numbers of the lost releases again, up to the newest one or near it, while all who know
/// better are away; and its wall clock is behind, so that it starts with a slot epoch that they have seen.
/// </summary>
internal sealed class ForkPlan
{
    private const long SecondNs = 1_000_000_000;
    private const long DayMicros = 86_400_000_000;
    private readonly SimulatedWorld _world;
    private readonly SimulatedCluster _cluster;
    private ulong _untilRelease = ulong.MaxValue;
    private string? _lost;
    private ulong _lostRelease;

    public ForkPlan(SimulatedWorld world, SimulatedCluster cluster)
    {
        _world = world;
        _cluster = cluster;
    }

    /// <summary>Schedules what happens.</summary>
    /// <param name="activeNs">When the last publish is asked.</param>
    /// <param name="copy">Copies the host's disk.</param>
    /// <param name="restore">Ends the host, and starts it from the copy.</param>
    public void Start(long activeNs, Action copy, Action restore)
    {
        long restoreNs = activeNs * 6 / 10;
        SimulatedMachine host = _cluster.Host.Machine;
        // From here on an epoch is one more than the stored one, and not the time.
        At(SecondNs, () => host.WallOffsetMicros -= DayMicros);
        At(restoreNs - (6 * SecondNs), copy);
        At(restoreNs - (4 * SecondNs), () => host.Crash());
        At(restoreNs - (3 * SecondNs), () => host.TryStart());
        At(restoreNs, () => Restore(restore));
        At(activeNs - (2 * SecondNs), Return);
    }

    /// <summary>Whether there is still something to publish.</summary>
    public bool MayPublish() => Newest < _untilRelease;

    private string? NewestId => _cluster.Host.Gms?.Find(SimulatedCluster.Application)?.CommittedHeader?.Id.ToString();

    private ulong Newest => _cluster.Host.Gms?.Find(SimulatedCluster.Application)?.Committed.Release ?? 0;

    private void Restore(Action restore)
    {
        _lost = NewestId;
        _lostRelease = Newest;
        // The same number twice; in other seeds one more or one fewer.
        _untilRelease = (_world.Seed % 4) switch
        {
            2 => Newest + 1,
            3 => Math.Max(1, Newest - 1),
            _ => Newest,
        };
        restore();
        foreach (SimulatedClient client in _cluster.Clients.Where(c => !c.Machine.IsAbsent))
        {
            _world.Faults.Add("awayAtRestore");
            client.Machine.Crash(isSilent: _world.Seed % 2 == 0);
        }
    }

    private void Return()
    {
        if (Newest == _lostRelease && NewestId != _lost)
        {
            _world.Faults.Add("sameNumber");
        }

        foreach (SimulatedClient client in _cluster.Clients)
        {
            client.Machine.TryStart();
        }
    }

    private void At(long atNs, Action action) => _world.Scheduler.Schedule(atNs - _world.Scheduler.NowNs, action);
}
