using Ripple.Engine.Core;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// Watches over the process of a host, as a service manager does that asks for its health: a host that could not start, or whose store is
/// broken for a while, is ended and started again.
/// </summary>
internal sealed class HostSupervisor(SimulatedWorld world, SimulatedHost host, DeterministicRandom random)
{
    private const long LookNs = 200_000_000;
    private const long PatienceNs = 2_000_000_000;
    private const long PauseNsMax = 1_000_000_000;

    /// <summary>Begins to look. Call once.</summary>
    public void Start() => world.Scheduler.Schedule(LookNs, Look);

    private void Look()
    {
        if (host.IsBroken)
        {
            int life = host.Machine.StartCount;
            world.Scheduler.Schedule(random.NextInt64(PatienceNs), () => End(life));
        }
        else
        {
            world.Scheduler.Schedule(LookNs, Look);
        }
    }

    private void End(int life)
    {
        if (host.Machine.IsRunning && host.Machine.StartCount == life && host.IsBroken)
        {
            world.Faults.Add("hostEnded");
            host.Machine.Crash();
            world.Scheduler.Schedule(1 + random.NextInt64(PauseNsMax), () => host.Machine.TryStart());
        }

        world.Scheduler.Schedule(LookNs, Look);
    }
}
