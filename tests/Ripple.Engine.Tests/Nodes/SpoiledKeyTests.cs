using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Tests.Releases;
using Ripple.Engine.Tests.Streams;
using Ripple.Engine.Tests.Wire;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>A member of the region seals as the host, so that the host's own packets are refused or pointless. The node notices.</summary>
public sealed class SpoiledKeyTests
{
    private readonly ReleaseChain _chain = new();

    [Fact]
    public void A_node_that_refuses_a_slot_for_seconds_asks_for_another_key_and_hears_again_with_it()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.ReceiveMessage(100, _chain.Next(("a", "1")));
        Poison(rig, slot: 0, number: 1UL << 18);
        byte[] second = _chain.Next(("a", "2"));
        for (int i = 0; i < 8; i++)
        {
            rig.ReceiveMessage(101, second);
            rig.Run(NodeRig.SecondNs / 2);
        }

        Assert.Single(rig.Applied);
        Assert.Equal([new KeyRequest(Sealing.RegionId, 1, KeyFault.Deaf, 0)], rig.Host.All<KeyRequest>());
        Assert.Equal(1, rig.Node.Counters.KeysAsked);
        rig.Send(new RegionRekey(Sealing.RegionId, 2, Sealing.KeyBytes(2)));
        rig.ReceiveMessage(101, second, epoch: 2);
        Assert.Equal(2ul, rig.Replica.Received.Keys.Release);
    }

    [Fact]
    public void A_node_that_refuses_many_slots_asks_once_a_second()
    {
        using NodeRig rig = new NodeRig().Join();
        foreach (uint slot in (uint[])[3, 5])
        {
            rig.Receive(slot, PacketClass.Control, []);
            Poison(rig, slot, 1UL << 18, PacketClass.Control);
        }

        for (int i = 0; i < 6; i++)
        {
            rig.Receive(3, PacketClass.Control, []);
            rig.Receive(5, PacketClass.Control, []);
            rig.Run(NodeRig.SecondNs / 2);
        }

        Assert.Single(rig.Host.All<KeyRequest>());
    }

    [Fact]
    public void A_key_that_is_worn_is_followed_by_another_before_the_node_falls_silent()
    {
        var limits = new NodeLimits { KeyPacketsMax = 8 };
        using var rig = new NodeRig(new NodeOptions { Application = NodeRig.Application, Limits = limits });
        rig.Join();
        for (int i = 0; rig.Host.All<KeyRequest>().Count == 0; i++)
        {
            Assert.InRange(i, 0, 8);
            rig.Receive(0, PacketClass.Data, StreamPackets.Packet(103 + (ulong)(2 * i)));
            rig.Run(NodeRig.SecondNs);
        }

        Assert.Equal(new KeyRequest(Sealing.RegionId, 1, KeyFault.Worn, NodeRig.OwnSlot), rig.Host.All<KeyRequest>()[0]);
    }

    [Fact]
    public void A_receiver_that_was_made_to_skip_ahead_of_the_host_starts_over_where_the_host_is()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.ReceiveMessage(100, _chain.Next(("a", "1")));
        // Not the host's: it has sent one packet so far.
        rig.Receive(0, PacketClass.Control, RegionSeals.Beacon(5_000, 5_001));
        rig.Run(NodeRig.SecondNs);
        byte[] second = _chain.Next(("a", "2"));
        rig.ReceiveMessage(101, second);
        Assert.Single(rig.Applied);

        Answer(rig, next: 101);
        Assert.Equal(1, rig.Node.Counters.StreamsRestarted);
        rig.ReceiveMessage(101, second);
        Assert.Equal(2, rig.Applied.Count);
    }

    [Fact]
    public void A_receiver_that_has_what_the_host_sent_or_got_more_since_goes_on()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.ReceiveMessage(100, _chain.Next(("a", "1")));
        rig.Run(NodeRig.SecondNs);
        rig.ReceiveMessage(101, _chain.Next(("a", "2")));
        Answer(rig, next: 101);
        rig.Run(NodeRig.SecondNs);
        Answer(rig, next: 102);

        Assert.Equal(0, rig.Node.Counters.StreamsRestarted);
        Assert.Equal(2, rig.Applied.Count);
    }

    private static void Answer(NodeRig rig, ulong next)
    {
        Heartbeat newest = rig.Host.All<Heartbeat>()[^1];
        rig.Send(new HeartbeatReply(newest.Sequence, rig.Answer.View.Number, next, default));
    }

    /// <summary>Sends a packet under a slot with a number of one's own choice, and nothing in it.</summary>
    private static void Poison(NodeRig rig, uint slot, ulong number, PacketClass packetClass = PacketClass.Data)
    {
        byte[] packet = new byte[PacketHeader.Size + PacketHeader.TagSize];
        ulong counter = number | ((ulong)packetClass << PacketHeader.ClassShift);
        var header = new PacketHeader(packetClass, packet.Length, 1, Sealing.RegionId, slot, counter);
        header.Write(packet);
        using RegionKey key = Sealing.Key(1);
        key.Seal(header, packet);
        rig.DataPort.Receive(packet);
    }
}
