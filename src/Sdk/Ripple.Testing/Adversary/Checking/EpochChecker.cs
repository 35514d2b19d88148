using Ripple.Engine.Regions;
using Ripple.Testing.Checking;
using Ripple.Testing.Cluster;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Adversary.Checking;

/// <summary>
/// No member can use up the slot epochs: claims that nothing proves raise the host's above its clock by a day at most, and a little in each
/// run of a host, however often they are made.
/// </summary>
internal sealed class EpochChecker(SimulatedWorld world, SimulatedCluster cluster) : IChecker
{
    /// <summary>A day of the clock's seconds, and four runs on top of it.</summary>
    private const long AheadMax = 86_400 + (4 * 1_024);

    /// <inheritdoc/>
    public string Name => "Epochs";

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (cluster.Host.Gms is not { } gms)
        {
            return;
        }

        long secondsNow = cluster.Host.UnixMicros / 1_000_000;
        foreach (RegionView view in gms.Views)
        {
            if (view.Number.SlotEpoch - secondsNow > AheadMax)
            {
                world.Fail(Name, $"the slot epoch is {view.Number.SlotEpoch}, {view.Number.SlotEpoch - secondsNow} ahead of the clock");
            }
        }
    }
}
