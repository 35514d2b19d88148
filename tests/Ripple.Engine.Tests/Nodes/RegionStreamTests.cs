using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Tests.Releases;
using Ripple.Engine.Tests.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>The host's stream at one member: from the first sequence it is owed, with what came before its join was answered and after
/// the connection was gone.</summary>
public sealed class RegionStreamTests
{
    private readonly ReleaseChain _chain = new();

    [Fact]
    public void The_first_message_that_is_owed_takes_effect()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.ReceiveMessage(100, _chain.Next(("a", "1")));

        Assert.Equal(1UL, Assert.Single(rig.Applied).Keys.Release);
    }

    [Fact]
    public void What_was_sent_before_the_first_sequence_owed_is_neither_taken_nor_asked_for()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.ReceiveMessage(99, _chain.Next(("a", "1")));
        rig.Receive(0, PacketClass.Data, StreamPackets.Packet(100));
        rig.Run(20 * NodeRig.MsNs);

        Assert.Empty(rig.Applied);
        Assert.Empty(rig.Naks());
        Assert.Equal(0, rig.Node.Counters.FramesRefused);
    }

    [Fact]
    public void What_is_missing_from_the_first_sequence_owed_is_asked_of_the_host()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.Receive(0, PacketClass.Data, StreamPackets.Packet(103));
        rig.Run(NodeRig.MsNs);

        (NodeAddress to, _, ulong[] sequences) = Assert.Single(rig.Naks());
        Assert.Equal(NodeRig.HostControl, to);
        Assert.Equal([100, 101, 102], sequences);
    }

    [Fact]
    public void What_a_beacon_tells_of_and_did_not_come_is_asked_for()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.Receive(0, PacketClass.Control, RegionSeals.Beacon(101, 1));
        rig.Run(2 * NodeRig.MsNs);

        Assert.Equal([100, 101], Assert.Single(rig.Naks()).Sequences);
    }

    [Fact]
    public void What_can_no_longer_be_had_is_asked_of_the_host_as_a_list_of_what_there_is()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.Receive(0, PacketClass.Control, RegionSeals.Beacon(150, 140));

        Assert.Equal([MessageType.StateVectorRequest], rig.Host.Types);
        rig.Run(2 * NodeRig.MsNs);
        Assert.Equal(140UL, Assert.Single(rig.Naks()).Sequences[0]);
    }

    [Fact]
    public void Packets_of_another_incarnation_of_the_host_are_refused()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.Receive(0, PacketClass.Data, StreamPackets.Packet(100, origin: StreamHost.Origin + 1));

        Assert.Equal(1, rig.Node.Counters.FramesRefused);
    }

    [Fact]
    public void A_message_of_a_topic_that_is_not_wanted_here_is_passed_over()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.Receive(0, PacketClass.Data, RegionSeals.Message(100, NodeRig.Topic + 1, [1, 2, 3]));
        rig.ReceiveMessage(101, _chain.Next(("a", "1")));

        Assert.Equal(0, rig.Node.Counters.Forged);
        Assert.Single(rig.Applied);
    }

    [Fact]
    public void Packets_that_came_before_the_answer_to_the_join_are_taken_after_it()
    {
        using var rig = new NodeRig();
        rig.Connect();
        rig.ReceiveMessage(100, _chain.Next(("a", "1")));
        rig.ReceiveMessage(101, _chain.Next(("a", "2")));
        Assert.Equal(0, rig.Node.Counters.DatagramsRefused);

        rig.Send(rig.Answer);
        Assert.Equal([1UL, 2UL], rig.Applied.Select(s => s.Keys.Release));
        rig.Run(20 * NodeRig.MsNs);
        Assert.Empty(rig.Naks());
    }

    [Fact]
    public void No_more_than_256_packets_wait_for_the_answer_to_a_join()
    {
        using var rig = new NodeRig();
        rig.Connect();
        for (ulong i = 0; i < 260; i++)
        {
            rig.Receive(0, PacketClass.Data, StreamPackets.Packet(100 + i));
        }

        rig.Send(rig.Answer);
        rig.Receive(0, PacketClass.Data, StreamPackets.Packet(360));
        rig.Run(NodeRig.MsNs);
        // The others are repaired like any loss.
        Assert.Equal([356, 357, 358, 359], Assert.Single(rig.Naks()).Sequences);
    }

    [Fact]
    public void After_the_connection_is_gone_packets_wait_for_the_next_and_open_under_its_key_alone()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.ReceiveMessage(100, _chain.Next(("a", "1")));
        rig.Break("cut");
        byte[] two = _chain.Next(("a", "2"));
        rig.ReceiveMessage(101, two);
        rig.ReceiveMessage(201, two, epoch: 2);
        Assert.Single(rig.Applied);

        rig.Run(NodeRig.SecondNs);
        rig.Host.Forget();
        rig.Answer = rig.Answer with { KeyEpoch = 2, Key = Tests.Wire.Sealing.KeyBytes(2), FirstSequence = 201 };
        rig.Join();
        Assert.Equal([1UL, 2UL], rig.Applied.Select(s => s.Keys.Release));
        Assert.Equal(1, rig.Node.Counters.DatagramsRefusedAs(OpenStatus.UnknownKey));
    }
}
