using System.Collections.Immutable;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Rings;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Gms;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles.Costs;

/// <summary>
/// Nothing is sent, asked or done more often than it must, and where the world knows the number itself, counters have exactly that: judged
/// by the counters that operators see, at the end.
/// </summary>
internal sealed class CountChecker(SimulatedWorld world, SimulatedCluster cluster, CostEvent happens, CostLimits limits)
{
    private const string Name = "Counts";
    private const long MinuteNs = 60_000_000_000;
    private const long AggregatesUnderWayMax = 10;

    /// <summary>
    /// Packets sent between a joiner's place in a view and its answer to the probe of its address, which are sent to it then: some
    /// releases.
    /// </summary>
    private const long JoinerRepairsMax = 50;

    /// <summary>
    /// How many releases the others may have between a joiner's place in a view and its answer to the probe: one, and two that were asked
    /// at the same time. It catches up by release, and gives up their packets.
    /// </summary>
    private const int JoinerReleasesMax = 3;

    /// <summary>A round that was under way, and what it takes until who led before knows of the newer one.</summary>
    private const long StaleTokensOfTakeOver = 2;
    // A packet of a value holds so much of it at least.
    private const int ValuePacketBytes = 1_000;

    // Of the packets that bring values, one in so many may be lost, or come to who has just left.
    private const int LostValueShare = 10;
    private long _minutes = 1;
    private long _valuePackets;
    private long _lostValuePackets;
    private long _takeOvers;
    private long _releasePackets;
    private long _refusals;
    private long _busyRefusals;

    /// <summary>Counts what publishers are answered: clients ask again by themselves where the host was busy, and tell nobody.</summary>
    public void Start() => world.Control.Tap = (_, type, body) =>
    {
        if (type == (ushort)MessageType.PublishResult && MessageCodec.TryRead(body, out PublishResult? result) == DecodeStatus.Ok)
        {
            _refusals += result!.Code == ErrorCode.None ? 0 : 1;
            _busyRefusals += result.Code == ErrorCode.Busy ? 1 : 0;
        }
    };

    /// <summary>Judges all of them.</summary>
    public void CheckEnd()
    {
        _minutes = (world.Scheduler.NowNs + MinuteNs - 1) / MinuteNs;
        SimulatedClient[] present = [.. cluster.Clients.Where(c => !c.Machine.IsAbsent)];
        _valuePackets = cluster.Host.Gms!.Streams.Sum(s => s.Counters.BulkBytes) / ValuePacketBytes;
        _lostValuePackets = _valuePackets / LostValueShare;
        _releasePackets = cluster.Publishers.Select(p => p.Application).Distinct().Max(PacketsOfLargest);
        _takeOvers = present.Sum(c => c.Node!.Region?.Ring.Counters.TakeOvers ?? 0);
        foreach (SimulatedClient client in present)
        {
            OfNode(client, client.Node!);
        }

        foreach (StreamCounters stream in cluster.Host.Gms.Streams.Select(s => s.Counters))
        {
            OfStream(stream);
        }

        OfHost(cluster.Host.Gms.Counters);
        Exactly(cluster.Host.Gms.Counters);
        int machines = world.Machines.Count;
        Most(cluster.Host.Machine, "turns", cluster.Host.Machine.StepCount, limits.HostTurns * machines);
        Most(cluster.Host.Machine, "ns an alarm is late", cluster.Host.Machine.Core.Counters.AlarmLagNsMax, limits.AlarmLagNs);
        Most(null, "datagrams", world.Network.SentCount, (limits.Datagrams + _valuePackets) * machines);
        Most(null, "control frames", world.Control.DeliveredCount, limits.ControlFrames * machines);
    }

    private void OfNode(SimulatedClient client, Node node)
    {
        SimulatedMachine machine = client.Machine;
        NodeCounters counters = node.Counters;
        Most(machine, "joins", counters.Joins, limits.Joins);
        Most(machine, "catch-ups", counters.CatchUps, limits.CatchUps);
        Most(machine, "snapshots", counters.Snapshots, limits.Snapshots);
        Most(machine, "datagrams refused", counters.DatagramsRefused, limits.Refused + _lostValuePackets);
        Most(machine, "frames refused", counters.FramesRefused, limits.Refused);
        Most(machine, "control frames refused", counters.ControlRefused, 0);
        Most(machine, "forgeries", counters.Forged, 0);
        Most(machine, "turns", machine.StepCount, limits.NodeTurns);
        Most(machine, "ns an alarm is late", machine.Core.Counters.AlarmLagNsMax, limits.AlarmLagNs);
        if (node.Region is not { } region)
        {
            world.Fail(Name, $"{machine} is in no region at the end", machine);
            return;
        }

        StreamReceiverCounters receiver = region.Receiver.Counters;
        Most(machine, "requests for repair", receiver.Naks, limits.Repairs + _lostValuePackets);
        Most(machine, "requests for repair that were repeated", receiver.NakRepeats, limits.Repairs + _lostValuePackets);
        Most(machine, "packets that came twice", receiver.Duplicates, limits.Duplicates);
        Most(machine, "packets out of the window", receiver.OutOfWindow, 0);
        Most(machine, "packets without room", receiver.NoRoom, 0);
        Most(machine, "malformed packets", receiver.Malformed, 0);
        Most(machine, "packets given up", receiver.Skipped, limits.GivenUp + (JoinerReleasesMax * _releasePackets));
        Most(machine, "messages abandoned", receiver.MessagesAbandoned, 0);
        RingCounters ring = region.Ring.Counters;
        Most(machine, "tokens sent again", ring.Retransmits, limits.TokenRetransmits);
        Most(machine, "tokens past a member", ring.Skips, limits.TokenSkips);
        Most(machine, "tokens that came twice", ring.DuplicateTokens, limits.StrayTokens);
        Most(machine, "stale tokens", ring.StaleTokens, limits.StrayTokens + (StaleTokensOfTakeOver * _takeOvers));
        Most(machine, "tokens of another view", ring.OtherViews, limits.StrayTokens);
        Most(machine, "rounds given up", ring.RoundsGivenUp, limits.StrayTokens);
        Most(machine, "tokens refused", ring.Refused, 0);
    }

    private void OfStream(StreamCounters stream)
    {
        SimulatedMachine host = cluster.Host.Machine;
        Most(
            host,
            "repairs",
            stream.Repairs,
            limits.Repairs + _lostValuePackets + (JoinerRepairsMax * cluster.Clients.Count));
        Most(host, "malformed requests for repair", stream.NaksMalformed, 0);
        Most(host, "requests for repair that are too old", stream.NaksTooOld, limits.LateRequests);
        Most(host, "full windows", stream.WindowFull, 0);
        Most(host, "cuts of the pace", stream.PaceCuts, limits.Repairs);
        Most(host, "stalls", stream.Stalls, 0);
    }

    private void OfHost(GmsCounters counters)
    {
        SimulatedMachine host = cluster.Host.Machine;
        Most(host, "joins refused", counters.JoinsRefused, 0);
        Most(host, "leaves", counters.LeavesMade, 0);
        Most(host, "failures", counters.Failures, limits.Failures);
        Most(host, "expulsions", counters.Expulsions, 0);
        Most(host, "views", counters.Views, limits.Views * world.Machines.Count);
        Most(host, "frames refused", counters.FramesRefused, 0);
        Most(host, "datagrams refused", counters.DatagramsRefused, limits.Refused);
        Most(host, "snapshots", counters.Snapshots, limits.Snapshots * world.Machines.Count);
    }

    /// <summary>A host that did not end has counted all that the world saw.</summary>
    private void Exactly(GmsCounters counters)
    {
        SimulatedClient[] all = [.. cluster.Processes.Where(c => !c.Machine.IsAbsent)];
        Equal("members", counters.Members, all.Length);
        Equal("sessions", counters.Sessions, all.Length);
        Equal("joins of all nodes", all.Sum(c => c.Node!.Counters.Joins), happens == CostEvent.HostCrash ? null : all.Length);
        if (happens == CostEvent.HostCrash)
        {
            return;
        }

        // A process joins once in each of its lives. One that rejects the newest release at its first start, and has accepted none, ends.
        Equal("joins", counters.Joins, all.Sum(c => c.Machine.StartCount));
        Equal("releases committed", counters.Committed, cluster.CommittedCount);
        long told = cluster.Publishers.Sum(p => p.RefusedCount);
        if (happens != CostEvent.NodeCrash)
        {
            Equal("publishes refused", counters.PublishesRefused, _refusals);
            if (told < _refusals - _busyRefusals || told > _refusals)
            {
                world.Fail(Name, $"publishers were told of {told} refusals; there were {_refusals}, of which {_busyRefusals} were busy");
            }
        }

        if (happens == CostEvent.None)
        {
            int most = cluster.Host.Options.RegionMembersMax;
            Equal(
                "regions",
                cluster.Host.Gms!.Views.Count(v => v.Members.Length > 0),
                all.GroupBy(c => c.RegionWords).Sum(g => (g.Count() + most - 1) / most));
        }

        if (happens == CostEvent.None)
        {
            CheckAggregates(counters.Aggregates, [.. all.Select(c => c.Node!.Region?.Ring.Counters).OfType<RingCounters>()]);
        }
    }

    /// <summary>An aggregate that is late, or whose acknowledgement is, comes again, and counts again.</summary>
    private void CheckAggregates(long counted, RingCounters[] rings)
    {
        long sent = rings.Sum(r => r.AggregatesSent);
        long again = rings.Sum(r => r.Retransmits);
        if (counted < sent - AggregatesUnderWayMax || counted > sent + again)
        {
            world.Fail(
                Name,
                $"the host counts {counted} aggregates; {sent} were sent, and {again} tokens and aggregates again",
                cluster.Host.Machine);
        }
    }

    /// <summary>The packets of the largest message of an application's releases.</summary>
    private long PacketsOfLargest(string application)
    {
        long most = 0;
        for (ModelRelease? release = cluster.Oracles.Model.Of(application).Newest; release is not null; release = release.Previous)
        {
            ImmutableSortedDictionary<string, byte[]> before = release.Previous?.Content ?? ModelRelease.NoContent;
            long bytes = release.Content.Where(c => before.GetValueOrDefault(c.Key) != c.Value).Sum(c => (long)c.Value.Length);
            most = Math.Max(most, Math.Min(bytes, WireLimits.MessageBytesMax));
        }

        return most / ValuePacketBytes;
    }

    private void Equal(string what, long count, long? truth)
    {
        if (truth is not null && count != truth)
        {
            world.Fail(Name, $"{cluster.Host.Machine} counts {count} {what}; there were {truth}", cluster.Host.Machine);
        }
    }

    private void Most(SimulatedMachine? machine, string what, long count, long most)
    {
        long enough = most * _minutes;
        if (count > enough)
        {
            world.Fail(Name, $"{count} {what} at {machine?.Name ?? "all machines"}; {enough} are enough for a run like this", machine);
        }
    }
}
