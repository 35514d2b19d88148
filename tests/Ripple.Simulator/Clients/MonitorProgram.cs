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
    private static readonly string[] FollowedIfDefined = [DefinitionProgram.Named, DefinitionProgram.Reported];

    /// <summary>Who changes what the application says about itself; null if nobody does.</summary>
    public DefinitionProgram? Definitions { get; set; }

    /// <summary>Called with each point.</summary>
    public Action<FrontierPoint>? OnPoint { get; set; }

    /// <summary>The number of points.</summary>
    public long PointCount { get; private set; }

    /// <summary>Follows with a client until it ends; the work is to be watched.</summary>
    public Task[] Run(RippleClient client) =>
        [.. Followed.Concat(Definitions is null ? [] : FollowedIfDefined).Select(predicate => FollowAsync(client, predicate))];

    private async Task FollowAsync(RippleClient client, string predicate)
    {
        FrontierPoint? last = null;
        (uint, ulong)? told = Definitions?.Told;
        try
        {
            await foreach (FrontierPoint point in client.MonitorAsync(client.Application, predicate).ConfigureAwait(false))
            {
                FrontierPoint? before = last;
                last = point;
                RippleRelease here = client.Current();
                (uint, ulong)? toldBefore = before is null ? told : null;
                world.Scheduler.Schedule(0, () => Check(predicate, before, point, here, toldBefore));
            }
        }
        catch (RippleException)
        {
            // Its credential is refused from now on, or nobody defined what it names yet.
        }
    }

    private void Check(string predicate, FrontierPoint? before, FrontierPoint point, RippleRelease here, (uint, ulong)? toldBefore)
    {
        if (predicate == DefinitionProgram.Reported)
        {
            Definitions!.Check(machine, point, toldBefore);
        }

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
