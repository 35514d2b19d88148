using Ripple.Engine.Caching;
using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Releases;
using Ripple.Engine.Streams;
using Ripple.Engine.Tests.Nodes;
using Ripple.Engine.Tests.Releases;
using Ripple.Engine.Tests.Streams;
using Ripple.Engine.Tests.Wire;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Caching;

/// <summary>A node among members that keep packets for each other, as its packets show it.</summary>
public sealed class NodeCachingTests : IDisposable
{
    private readonly NodeRig _rig = new NodeRig().Join();

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void A_lost_packet_is_asked_of_a_member_once_the_host_says_that_members_keep_them()
    {
        ulong lost = Lose(isOwn: false);
        Assert.Equal(NodeRig.HostControl, Assert.Single(_rig.Naks()).To);

        using NodeRig told = new NodeRig().Join();
        told.Send(new RegionCaching(Sealing.RegionId + 1, 1));
        told.Send(new RegionCaching(Sealing.RegionId, 1));
        Lose(isOwn: false, told);
        (NodeAddress to, _, ulong[] sequences) = told.Naks()[0];
        Assert.Contains(told.Node.View!.Members, m => m.Slot != NodeRig.OwnSlot && m.ControlAddress == to);
        Assert.Equal([lost], sequences);
        told.Run(20 * NodeRig.MsNs);
        Assert.Equal(NodeRig.HostControl, told.Naks()[1].To);
    }

    [Fact]
    public void A_release_that_a_member_made_up_when_it_was_asked_is_told_of_it_by_name_and_fetched_from_the_host()
    {
        _rig.Send(new RegionCaching(Sealing.RegionId, 1));
        ulong lost = Lose(isOwn: false);
        _rig.Receive(3, PacketClass.Repair, RegionSeals.Message(lost, NodeRig.Topic, [1, 2, 3]));
        Assert.Contains("malformed", Assert.Single(_rig.Refusals).Why, StringComparison.Ordinal);
        Assert.Equal(1, _rig.Node.Counters.RefusedByMember[NodeRig.Member(3).Node]);
        Assert.Equal(lost + 1, _rig.Node.Region!.Receiver.Contiguous);
        _rig.Run(NodeRig.SecondNs);
        Assert.NotEmpty(_rig.Host.All<CatchUpRequest>());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_part_of_a_value_that_a_member_made_up_when_it_was_asked_is_told_of_it_by_name(bool isManifest)
    {
        string value = ValueMessages.Text(1, 100_000);
        Digest160 digest = ValueMessages.Manifest(value).Digest;
        byte[] release = new ReleaseChain().Follow(("a", value));
        byte[] part = new byte[1_000];
        int length = isManifest
            ? StreamedValue.WriteManifest(part, digest, ValueMessages.Manifest(ValueMessages.Text(2, 100_000)).Encode())
            : StreamedValue.WriteChunk(part, digest, 0, new byte[100]);
        _rig.Send(new RegionCaching(Sealing.RegionId, 1));
        ulong lost = Lose(isOwn: false, first: isManifest ? [release] : [release, ValueMessages.Parts(value)[0]]);
        _rig.Receive(3, PacketClass.Repair, RegionSeals.Message(lost, NodeRig.Topic, part[..length]));
        Assert.Contains("a part of a value", Assert.Single(_rig.Refusals).Why, StringComparison.Ordinal);
        Assert.Equal([(NodeRig.Member(3).Node, 1L)], _rig.Node.Counters.RefusedByMember.Select(p => (p.Key, p.Value)));
        Assert.Equal(lost + 1, _rig.Node.Region!.Receiver.Contiguous);
    }

    [Fact]
    public void A_packet_of_a_member_that_was_not_asked_for_is_refused_and_blamed()
    {
        _rig.Send(new RegionCaching(Sealing.RegionId, 1));
        ulong lost = Lose(isOwn: false);
        _rig.Receive(5, PacketClass.Repair, RegionSeals.Message(lost + 2, NodeRig.Topic, [1, 2, 3]));
        _rig.Receive(5, PacketClass.Data, RegionSeals.Message(lost, NodeRig.Topic, [1, 2, 3]));
        Assert.Empty(_rig.Refusals);
        Assert.Equal(2, _rig.Node.Counters.RefusedByMember[NodeRig.Member(5).Node]);
        Assert.Equal(lost - 1, _rig.Node.Region!.Receiver.Contiguous);
    }

    [Fact]
    public void What_this_node_keeps_it_gives_to_who_asks_as_it_came_and_to_nobody_else()
    {
        _rig.Send(new RegionCaching(Sealing.RegionId, 1));
        ulong first = Lose(isOwn: true) + 1;
        Ask(3, first);
        Ask(99, first);
        (NodeAddress to, byte[] datagram) = Assert.Single(_rig.DataPort.Sent);
        Assert.Equal(NodeRig.Member(3).DataAddress, to);
        Assert.Equal(PacketHeaderStatus.Ok, PacketHeader.TryRead(datagram, out PacketHeader header));
        Assert.Equal((NodeRig.OwnSlot, PacketClass.Repair), (header.Slot, header.Class));
        using PacketOpener opener = Sealing.Opener(1, NodeRig.OwnSlot);
        Assert.Equal(OpenStatus.Ok, opener.TryOpen((byte[])[.. datagram], 0, out _, out ReadOnlySpan<byte> frames));
        Assert.Equal(RegionSeals.Message(first, NodeRig.Topic + 1, Message(first)), frames.ToArray());
        Assert.Equal((1, 1), (_rig.Node.Counters.Caching.Repairs, _rig.Node.Counters.Caching.Hits));
    }

    [Fact]
    public void What_is_asked_of_this_node_while_it_lacks_it_is_given_when_it_comes()
    {
        _rig.Send(new RegionCaching(Sealing.RegionId, 1));
        ulong lost = Lose(isOwn: true);
        Ask(3, lost);
        Assert.Empty(_rig.DataPort.Sent);
        _rig.Receive(0, PacketClass.Repair, RegionSeals.Message(lost, NodeRig.Topic + 1, Message(lost)));
        _rig.Run(NodeRig.MsNs);
        Assert.Equal(NodeRig.Member(3).DataAddress, Assert.Single(_rig.DataPort.Sent).To);
        Assert.Equal((1, 1), (_rig.Node.Counters.Caching.Repairs, _rig.Node.Counters.Caching.Misses));
    }

    [Fact]
    public void Each_that_asks_for_what_is_not_here_is_given_it_when_it_comes()
    {
        _rig.Send(new RegionCaching(Sealing.RegionId, 1));
        ulong lost = Lose(isOwn: true);
        Ask(3, lost);
        Ask(5, lost);
        Ask(3, lost);
        _rig.Receive(0, PacketClass.Repair, RegionSeals.Message(lost, NodeRig.Topic + 1, Message(lost)));
        _rig.Run(NodeRig.MsNs);
        Assert.Equal(
            new HashSet<NodeAddress>([NodeRig.Member(3).DataAddress, NodeRig.Member(5).DataAddress]),
            _rig.DataPort.Sent.Select(s => s.To).ToHashSet());
        Assert.Equal(2, _rig.DataPort.Sent.Count);
    }

    [Fact]
    public void The_host_is_told_of_repairs_when_there_were_any()
    {
        _rig.Send(new RegionCaching(Sealing.RegionId, 1));
        _rig.Run(3 * NodeRig.SecondNs);
        Assert.Empty(_rig.Host.All<RepairReport>());
        ulong lost = Lose(isOwn: true);
        Ask(3, lost);
        _rig.Receive(0, PacketClass.Repair, RegionSeals.Message(lost, NodeRig.Topic + 1, Message(lost)));
        _rig.Run(3 * NodeRig.SecondNs);
        Assert.Equal(new RepairReport(1, 0, 1), _rig.Host.Only<RepairReport>());
    }

    [Fact]
    public void What_was_false_is_not_given_to_others_nor_what_was_kept_before_it()
    {
        _rig.Send(new RegionCaching(Sealing.RegionId, 1));
        ulong lost = Lose(isOwn: true);
        Assert.True(_rig.Node.Region!.Repairer.KeptCount > 0);
        _rig.Receive(0, PacketClass.Repair, RegionSeals.Message(lost, NodeRig.Topic, [1, 2, 3]));
        Assert.Single(_rig.Refusals);
        Assert.Equal(0, _rig.Node.Region.Repairer.KeptCount);
        Ask(3, lost);
        Assert.Empty(_rig.DataPort.Sent);
    }

    [Fact]
    public void Who_was_made_to_skip_ahead_keeps_the_packets_of_the_host_again_when_it_starts_over()
    {
        _rig.Send(new RegionCaching(Sealing.RegionId, 1));
        ulong lost = Lose(isOwn: true);
        RegionMembership region = _rig.Node.Region!;
        region.OnFloor(StreamHost.Origin, lost - 1);
        region.OnHostSequence(lost - 1, lost - 1);
        Assert.Equal(0, region.Repairer.KeptCount);
        _rig.Receive(0, PacketClass.Data, RegionSeals.Message(lost - 1, NodeRig.Topic + 1, Message(lost - 1)));
        Assert.Equal(1, region.Repairer.KeptCount);
    }

    private static byte[] Message(ulong sequence) => BitConverter.GetBytes(sequence);

    /// <summary>Receives packets up to one that is lost, of a block that this node or another keeps, and the one after it.</summary>
    private ulong Lose(bool isOwn, NodeRig? rig = null, params byte[][] first)
    {
        rig ??= _rig;
        var owners = new CacheOwners(NodeRig.OwnSlot);
        owners.OnView(rig.Node.View!);
        owners.SetCount(1);
        ulong block = (NodeRig.FirstSequence / 64) + 1;
        while (owners.IsOwner(block) != isOwn)
        {
            block++;
        }

        ulong lost = (block * 64) + 1;
        for (ulong sequence = NodeRig.FirstSequence; sequence <= lost + 1; sequence++)
        {
            ulong index = sequence - NodeRig.FirstSequence;
            if (index < (ulong)first.Length)
            {
                rig.Receive(0, PacketClass.Data, RegionSeals.Message(sequence, NodeRig.Topic, first[index]));
            }
            else if (sequence != lost)
            {
                // Of an application that the node does not have: what is in it does not matter here.
                rig.Receive(0, PacketClass.Data, RegionSeals.Message(sequence, NodeRig.Topic + 1, Message(sequence)));
            }
        }

        rig.Run(2 * NodeRig.MsNs);
        return lost;
    }

    private void Ask(uint slot, ulong sequence)
    {
        byte[] frame = new byte[NakFrame.FrameBytesMax];
        var writer = new WireWriter(frame);
        NakFrame.Write(ref writer, StreamHost.Origin, sequence / 64 * 64, [1UL << (int)(sequence % 64)]);
        _rig.Receive(slot, PacketClass.Nak, writer.Written.ToArray());
        _rig.Run(NodeRig.MsNs);
    }
}
