using Ripple.Engine.Releases;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Adversary.Checking;

/// <summary>
/// What the host brings an honest member over its control connection is taken, whatever fills the member's intake: some seconds after the
/// end of a catch-up it has the release that the catch-up led to.
/// </summary>
internal sealed class FrozenChecker(SimulatedWorld world, ReceivingChecker receiving)
{
    private const string Name = "Frozen";

    /// <summary>Values that were not in the messages are fetched behind them.</summary>
    private const long TakeNsMax = 5_000_000_000;

    /// <summary>Called when a client has handled the end of a catch-up to a release.</summary>
    public void OnBrought(SimulatedClient client, uint generation, ulong release)
    {
        ArgumentNullException.ThrowIfNull(client);
        long broughtNs = world.Scheduler.NowNs;
        int start = client.Machine.StartCount;
        world.Scheduler.Schedule(TakeNsMax, () =>
        {
            if (client.Machine.StartCount == start
                && receiving.FitSinceNs(client) <= broughtNs
                && client.Node!.Find(SimulatedCluster.Application) is { } replica
                && IsBehind(replica.Received.Keys, generation, release))
            {
                world.Fail(
                    Name,
                    $"{client.Machine} was brought to {generation}/{release} over its connection {TakeNsMax / 1_000_000} ms ago and is at "
                        + $"{replica.Received.Keys.Generation}/{replica.Received.Keys.Release}; its chain is verified up to "
                        + $"{replica.Head.Release}, {replica.PendingCount} numbers wait in its intake");
            }
        });
    }

    private static bool IsBehind(ReleaseState received, uint generation, ulong release) =>
        received.Generation < generation || (received.Generation == generation && received.Release < release);
}
