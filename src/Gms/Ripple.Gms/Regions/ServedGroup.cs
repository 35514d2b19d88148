using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Regions;

/// <summary>
/// The multicast group of one region at its host. A member receives the stream through the group once it reports hearing it, and by unicast
/// until then and whenever it reports that it no longer does. Heartbeats of members that do not hear it yet trigger probes to the group.
/// Core thread.
/// </summary>
internal sealed class ServedGroup
{
    /// <summary>
    /// The shortest interval between probes, which reach all members: at most five a second, however many members do not hear them.
    /// </summary>
    private const long ProbeNsMin = 200_000_000;

    /// <summary>
    /// The number of heartbeats without a heard probe after which a member is reported: routers may take seconds to learn of a join.
    /// </summary>
    private const int SilentHeartbeatsMax = 5;

    /// <summary>Approximate size of a node of a sorted set.</summary>
    private const int SetNodeBytes = 64;

    private readonly CoreLoop _core;
    private readonly RegionOutput _output;
    private readonly GmsCounters _counters;
    private readonly GmsEvents _events;
    private readonly ulong _regionId;
    private readonly byte[] _probe;
    private readonly SortedSet<uint> _hearing = [];
    private readonly SortedDictionary<uint, int> _silentHeartbeats = [];
    private long _probedNs = long.MinValue;

    public ServedGroup(CoreLoop core, ulong regionId, NodeAddress address, RegionOutput output, GmsCounters counters, GmsEvents events)
    {
        _core = core;
        _output = output;
        _counters = counters;
        _events = events;
        _regionId = regionId;
        _probe = MakeProbe(output.FramesBytesMax);
        Address = address;
        _output.SetGroup(address, _hearing);
    }

    /// <summary>
    /// Adds the memory of a member in the sets of members that hear the group or do not, a tree node in one of them; and a region's probe.
    /// </summary>
    public static void AddMemory(MemoryBudget budget)
    {
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "region: who hears the multicast group", 1, SetNodeBytes);
        budget.Add(MemoryScope.Region, MemoryKind.Retained, "region: the probe of its group", 1, WireLimits.FramesBytesMax);
    }

    public NodeAddress Address { get; }

    /// <summary>How many members hear it.</summary>
    public int HearingCount => _hearing.Count;

    /// <summary>True if the member hears the group.</summary>
    public bool IsHeardBy(uint slot) => _hearing.Contains(slot);

    /// <summary>Announces the group to a member.</summary>
    public void Offer(IRegionMember member) => member.Send(new RegionGroup(_regionId, Address));

    public void OnReport(IRegionMember member, GroupReport report)
    {
        if (report.RegionId != _regionId || member.Place is not { Slot: uint slot })
        {
            return;
        }

        bool wasHearing = Remove(slot);
        switch (report.State)
        {
            case GroupState.Hears:
                _hearing.Add(slot);
                _counters.GroupMembers++;
                break;
            case GroupState.Joined:
                _silentHeartbeats[slot] = 0;
                SendProbe();
                break;
            case GroupState.NotJoined:
            default:
                break;
        }

        _output.SetGroup(Address, _hearing);
        if (report.State != GroupState.Hears && (wasHearing || report.State != GroupState.Joined))
        {
            Tell(member, report.Reason);
        }
    }

    public void OnHeartbeat(IRegionMember member)
    {
        if (member.Place is not { Slot: uint slot } || !_silentHeartbeats.TryGetValue(slot, out int count))
        {
            return;
        }

        SendProbe();
        _silentHeartbeats[slot] = Math.Min(count + 1, SilentHeartbeatsMax + 1);
        if (count == SilentHeartbeatsMax)
        {
            Tell(
                member,
                "it joined the group and does not hear it; see to multicast between this host and it (routers, switches, "
                    + "--multicast-interface, --multicast-ttl)");
        }
    }

    /// <summary>Removes a member; true if it heard the group.</summary>
    public bool Remove(uint slot)
    {
        _silentHeartbeats.Remove(slot);
        if (!_hearing.Remove(slot))
        {
            return false;
        }

        _counters.GroupMembers--;
        return true;
    }

    /// <summary>A probe of maximum packet size, sent from the stream's socket: a path that passes it passes the stream.</summary>
    private static byte[] MakeProbe(int framesBytes)
    {
        byte[] frames = new byte[framesBytes];
        var writer = new WireWriter(frames);
        int start = FrameWriter.Begin(ref writer, FrameType.GroupProbe);
        writer.Take(frames.Length - start);
        FrameWriter.End(ref writer, start);
        return frames;
    }

    private void SendProbe()
    {
        if (_probedNs == long.MinValue || _core.NowNs - _probedNs >= ProbeNsMin)
        {
            _probedNs = _core.NowNs;
            _output.TrySend(Address, PacketClass.Repair, _probe);
        }
    }

    private void Tell(IRegionMember member, string reason)
    {
        _counters.GroupRefusals++;
        _events.Post(GmsEventKind.Unicast, member.Name, reason);
    }
}
