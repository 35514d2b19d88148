using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;
using Ripple.Testing.Cluster;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Adversary.Checking;

/// <summary>
/// Genuine packets are opened: no receiver refuses all of a sealer's packets of a class for long, while the sealer is in view and the key
/// is the newest. A key that is spoiled has to be followed by another; whoever holds that one, too, can spoil it again.
/// </summary>
internal sealed class DeafnessChecker(SimulatedWorld world)
{
    private const string Name = "Deafness";

    /// <summary>A few in a row may be duplicates, or meet counters that a forger used before them.</summary>
    private const int RefusedMax = 12;

    private const long RefusedNsMax = 8_000_000_000;

    private readonly SortedDictionary<(int Machine, ulong Region, uint KeyEpoch, uint Slot, PacketClass Class), (long SinceNs, int Count)>
        _refused = [];

    /// <summary>Called when a node has handled a genuine datagram.</summary>
    public void OnHandled(SimulatedClient client, in PacketHeader header, bool isOpened)
    {
        ArgumentNullException.ThrowIfNull(client);
        if (client.Node?.Region is { } region
            && region.View.RegionId == header.RegionId
            && (header.Slot == 0 || region.View.PositionOf(header.Slot) >= 0))
        {
            Judge(client.Machine, header, isOpened);
        }
    }

    /// <summary>Called when the host has handled a genuine datagram.</summary>
    public void OnHandledByHost(SimulatedHost host, PacketHeader header, bool isOpened)
    {
        ArgumentNullException.ThrowIfNull(host);
        RegionView? view = host.Gms?.Views.FirstOrDefault(v => v.RegionId == header.RegionId);
        bool isNewest = host.Gms?.KeyEpochs.Any(k => k.Key == header.RegionId && k.Value == header.KeyEpoch) == true;
        if (view is not null && isNewest && view.PositionOf(header.Slot) >= 0)
        {
            Judge(host.Machine, header, isOpened);
        }
    }

    private void Judge(SimulatedMachine machine, in PacketHeader header, bool isOpened)
    {
        (int, ulong, uint, uint, PacketClass) key = (machine.Index, header.RegionId, header.KeyEpoch, header.Slot, header.Class);
        if (isOpened)
        {
            _refused.Remove(key);
            return;
        }

        long nowNs = world.Scheduler.NowNs;
        (long sinceNs, int count) = _refused.TryGetValue(key, out (long SinceNs, int Count) known) ? known : (nowNs, 0);
        _refused[key] = (sinceNs, ++count);
        if (count > RefusedMax && nowNs - sinceNs > RefusedNsMax)
        {
            world.Fail(
                Name,
                $"{machine} has refused all {count} {header.Class} packets of slot {header.Slot} in view for "
                    + $"{(nowNs - sinceNs) / 1_000_000} ms");
        }
    }
}
