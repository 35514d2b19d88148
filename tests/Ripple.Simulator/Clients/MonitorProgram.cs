using Ripple.Client;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Clients;

/// <summary>
/// The part of a program that follows predicates over its own application. For the life of one client points never go back, also over lost
/// connections and starts of the host; where everybody has a release in effect, so has this process.
/// </summary>
/// <param name="world">The world.</param>
/// <param name="machine">The program's machine.</param>
internal sealed class MonitorProgram(SimulatedWorld world, SimulatedMachine machine)
{
    private const string Name = "Monitors";
    private const string EverywhereApplied = "MIN($ALL.applied)";

    private static readonly string[] Followed = [EverywhereApplied, "KTH_MAX(SIZEOF($ALL)/2 + 1, $ALL.received)", "MAX($ALL.persisted)"];

    /// <summary>Called with each point.</summary>
    public Action<FrontierPoint>? OnPoint { get; set; }

    /// <summary>The number of points.</summary>
    public long PointCount { get; private set; }

    /// <summary>Follows with a client until it ends; the work is to be watched.</summary>
    public Task[] Run(RippleClient client) => [.. Followed.Select(predicate => FollowAsync(client, predicate))];

    private async Task FollowAsync(RippleClient client, string predicate)
    {
        FrontierPoint? last = null;
        try
        {
            await foreach (FrontierPoint point in client.MonitorAsync(client.Application, predicate).ConfigureAwait(false))
            {
                FrontierPoint? before = last;
                last = point;
                RippleRelease here = client.Current();
                world.Scheduler.Schedule(0, () => Check(predicate, before, point, here));
            }
        }
        catch (RippleException)
        {
            // Its credential is refused from now on.
        }
    }

    private void Check(string predicate, FrontierPoint? before, FrontierPoint point, RippleRelease here)
    {
        if (before is not null && !point.IsNewsAfter(before))
        {
            world.Fail(Name, $"a monitor of {predicate} at {machine} delivered {point} after {before}", machine);
        }

        if (predicate == EverywhereApplied && here.Generation == point.Generation && here.Release < point.Release)
        {
            world.Fail(Name, $"{machine} is told that all have {point} in effect, and has {here} itself", machine);
        }

        PointCount++;
        OnPoint?.Invoke(point);
    }
}
