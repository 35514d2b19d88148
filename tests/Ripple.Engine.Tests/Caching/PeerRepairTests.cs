using Ripple.Engine.Caching;
using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Tests.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Caching;

/// <summary>Members that lose packets ask members that keep them; whatever these do, nothing is lost.</summary>
public sealed class PeerRepairTests
{
    private const int Owners = 5;
    // As many as there are neighbourhoods of 12 members or more, or of 16 at most.
    private const int OwnersOf50 = 4;
    private const int OwnersOf20 = 2;

    [Fact]
    public void Losses_of_single_members_are_repaired_by_members()
    {
        using StreamHost host = Host();
        StreamMember[] members = host.Join(50);
        var random = new DeterministicRandom(3);
        long lost = 0;
        host.Network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) =>
        {
            bool isLost = PacketLoss.ClassOf(datagram) == PacketClass.Data && random.NextUInt64() % 100 == 0;
            lost += isLost ? 1 : 0;
            return isLost;
        };
        Send(host, rounds: 100, messages: 20);
        Finish(host, members);
        long bySender = host.Sender.Counters.Repairs;
        long byMembers = members.Sum(m => m.Repairer.Counters.Repairs);
        Assert.True(lost > 500, $"{lost}");
        Assert.InRange(bySender, 0, 0.15 * (bySender + byMembers));
        Assert.InRange(bySender + byMembers, lost, 1.1 * lost);
        Assert.All(members, m => Assert.Equal(0, m.Refused));
    }

    [Fact]
    public void What_everybody_lost_the_host_repairs_at_its_owners_and_they_repair_the_others()
    {
        using StreamHost host = Host();
        StreamMember[] members = host.Join(50);
        host.Network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) =>
            PacketLoss.ClassOf(datagram) == PacketClass.Data && PacketLoss.SequenceOf(datagram) % 100 == 50;
        Send(host, rounds: 60, messages: 20);
        Finish(host, members);
        ulong lost = (host.Sender.NextSequence + 49) / 100;
        Assert.True(lost > 8, $"{lost}");
        Assert.InRange(host.Sender.Counters.Repairs, (long)lost * OwnersOf50, (long)lost * (OwnersOf50 + 1));
        Assert.True(members.Sum(m => m.Receiver.Counters.PeerRepairs) >= (long)lost * (50 - OwnersOf50 - 1));
    }

    [Fact]
    public void Where_members_repair_nothing_the_sender_does()
    {
        using StreamHost host = Host();
        StreamMember[] members = host.Join(20);
        host.Network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) => PacketLoss.ClassOf(datagram) switch
        {
            PacketClass.Data => PacketLoss.SequenceOf(datagram) % 100 == 50,
            PacketClass.Repair => datagram[4] != 0,
            _ => false,
        };
        Send(host, rounds: 30, messages: 20);
        Finish(host, members);
        Assert.True(members.Sum(m => m.Receiver.Counters.PeerNaks) > 0);
        Assert.Equal(0, members.Sum(m => m.Receiver.Counters.PeerRepairs));
    }

    [Fact]
    public void Who_loses_much_asks_the_sender_first()
    {
        using StreamHost host = Host();
        StreamMember[] members = host.Join(20);
        StreamMember lossy = members[7];
        host.Network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) => to == lossy.DataPort.LocalAddress
            && PacketLoss.ClassOf(datagram) == PacketClass.Data && PacketLoss.SequenceOf(datagram) % 10 == 0;
        Send(host, rounds: 100, messages: 20);
        Finish(host, members);

        // The sixteen of the first thousand packets that are no reason to suspect the path, a few of them in one request.
        Assert.InRange(lossy.Receiver.Counters.PeerRepairs, 1, 20);
        Assert.True(host.Sender.Counters.Repairs > 20);
    }

    [Fact]
    public void A_member_that_asks_once_and_is_not_answered_asks_the_sender()
    {
        using StreamHost host = Host();
        StreamMember[] members = host.Join(20);
        ulong sequence = SequenceNotOwnedBy(members[3]);
        List<NodeAddress> asked = [];
        host.Network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) =>
        {
            if (PacketLoss.ClassOf(datagram) == PacketClass.Nak)
            {
                asked.Add(to);
            }

            return PacketLoss.ClassOf(datagram) == PacketClass.Repair ? datagram[4] != 0
                : to == members[3].DataPort.LocalAddress
                    && PacketLoss.ClassOf(datagram) == PacketClass.Data && PacketLoss.SequenceOf(datagram) == sequence;
        };
        Send(host, rounds: 20, messages: 20);
        Finish(host, members);
        Assert.Equal(2, asked.Count);
        Assert.NotEqual(host.ControlPort.LocalAddress, asked[0]);
        Assert.Equal(host.ControlPort.LocalAddress, asked[1]);
    }

    [Fact]
    public void A_packet_that_nobody_asked_for_is_refused_and_changes_nothing()
    {
        using StreamHost host = Host();
        StreamMember[] members = host.Join(20);
        byte[] poison = StreamPackets.Part(1, 1, 0, 5, 5, topic: 666);
        members[0].Take(9, poison);
        Assert.Equal((1, 0UL, 0L), (members[0].Refused, members[0].Receiver.Contiguous, members[0].MessageCount));
        host.Send(1, [1, 2, 3]);
        host.Network.Run(5_000_000);
        Finish(host, members);
        Assert.Equal([(1u, 3)], members[0].Messages.Select(m => (m.Topic, m.Message.Length)));

        // What came by itself meanwhile is no reason to blame who was asked for it.
        members[0].Take(9, poison);
        Assert.Equal((1, 1L), (members[0].Refused, members[0].Receiver.Counters.Duplicates));
    }

    [Fact]
    public void A_repair_counts_once_and_for_what_was_asked_alone()
    {
        using StreamHost host = Host();
        StreamMember[] members = host.Join(20);
        ulong sequence = SequenceNotOwnedBy(members[3]);
        host.Network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) => PacketLoss.ClassOf(datagram) == PacketClass.Repair
            || (to == members[3].DataPort.LocalAddress
                && PacketLoss.ClassOf(datagram) == PacketClass.Data && PacketLoss.SequenceOf(datagram) == sequence);
        Send(host, rounds: 10, messages: 20);
        Assert.Equal(sequence - 1, members[3].Receiver.Contiguous);
        byte[] asked = StreamPackets.Packet(sequence);
        members[3].Take(9, StreamPackets.Packet(sequence + 5_000));
        Assert.Equal((1, 0L), (members[3].Refused, members[3].Receiver.Counters.PeerRepairs));
        members[3].Take(9, asked);
        members[3].Take(9, asked);
        Assert.Equal((1, 1L), (members[3].Refused, members[3].Receiver.Counters.PeerRepairs));
    }

    [Fact]
    public void What_a_member_repaired_goes_no_further_than_to_who_asked_for_it()
    {
        using StreamHost host = Host();
        StreamMember[] members = host.Join(20);
        ulong block = SequenceNotOwnedBy(members[3]) / 64;
        StreamMember owner = members.First(m => m.Repairer.Owners.IsOwner(block));
        owner.Take(9, StreamPackets.Packet(block * 64));
        Assert.Equal(0, owner.Repairer.KeptCount);
        owner.Take(0, StreamPackets.Packet(block * 64));
        Assert.Equal(1, owner.Repairer.KeptCount);
    }

    [Fact]
    public void A_packet_is_kept_until_all_have_it()
    {
        using StreamHost host = Host();
        StreamMember[] members = host.Join(20);
        for (int i = 0; i < 30; i++)
        {
            host.Send(1, new byte[1_000]);
        }

        host.Network.Run(20_000_000);
        int kept = members.Sum(m => m.Repairer.KeptCount);
        Assert.Equal((int)(host.Sender.NextSequence - 1) * OwnersOf20, kept);
        members[0].Repairer.OnFloor(host.Sender.NextSequence - 2);
        Assert.InRange(members[0].Repairer.KeptCount, 0, 1);
        host.Aggregate();
        Assert.Equal(0, members.Sum(m => m.Repairer.KeptCount));
    }

    [Fact]
    public void Who_is_owed_more_than_leaves_at_once_gets_the_rest_at_its_pace_without_asking_again()
    {
        const long BytesPerSecond = 1_000_000;
        using var host = new StreamHost(new StreamNetwork())
        {
            CacheOwners = Owners,
            Caching = CachingOptions.Default with { BytesPerSecond = BytesPerSecond },
        };
        StreamMember[] members = host.Join(20);
        for (int i = 0; i < 200; i++)
        {
            host.Queue(1, new byte[1_200]);
        }

        host.Sender.OnReady();
        host.Network.Run(20_000_000);
        StreamMember owner = members.First(m => m.Repairer.Owners.IsOwner(1));
        uint asker = owner == members[0] ? 2u : 1u;
        byte[] frame = new byte[NakFrame.FrameBytesMax];
        var writer = new WireWriter(frame);
        NakFrame.Write(ref writer, StreamHost.Origin, 64, [ulong.MaxValue]);
        Assert.True(owner.Repairer.TryTakeNak(asker, writer.Written[FrameReader.HeaderBytes..], owner.Receiver));

        // 64 packets of 1,400 bytes: 90 ms at this pace, of which a hundredth of a second's may leave at once.
        host.Network.Run(10_000_000);
        Assert.InRange(owner.Repairer.Counters.Repairs, 1, 32);
        host.Network.Run(200_000_000);
        Assert.Equal((1, 64), (owner.Repairer.Counters.Naks, owner.Repairer.Counters.Repairs));
    }

    [Fact]
    public void Who_asks_for_several_blocks_or_in_no_form_is_refused()
    {
        using StreamHost host = Host();
        StreamMember[] members = host.Join(20);
        Assert.True(Ask(StreamHost.Origin, [1]));
        Assert.False(Ask(StreamHost.Origin, [1, 1]));
        Assert.True(Ask(StreamHost.Origin + 1, [1]));
        Assert.False(members[0].Repairer.TryTakeNak(2, [1, 2, 3], members[0].Receiver));
        Assert.Equal(1, members[0].Repairer.Counters.Naks);

        bool Ask(ulong origin, ulong[] words)
        {
            byte[] frame = new byte[NakFrame.FrameBytesMax];
            var writer = new WireWriter(frame);
            NakFrame.Write(ref writer, origin, 64, words);
            return members[0].Repairer.TryTakeNak(2, writer.Written[FrameReader.HeaderBytes..], members[0].Receiver);
        }
    }

    [Fact]
    public void What_waits_for_a_packet_that_is_not_here_is_bounded()
    {
        using StreamHost host = Host();
        StreamMember[] members = host.Join(20);
        ulong block = Enumerable.Range(1, 1_000).Select(i => (ulong)i).First(members[0].Repairer.Owners.IsOwner);
        byte[] frame = new byte[NakFrame.FrameBytesMax];
        for (uint slot = 2; slot <= 20; slot++)
        {
            var writer = new WireWriter(frame);
            NakFrame.Write(ref writer, StreamHost.Origin, block * 64, [ulong.MaxValue]);
            Assert.True(members[0].Repairer.TryTakeNak(slot, writer.Written[FrameReader.HeaderBytes..], members[0].Receiver));
        }

        Assert.Equal(256, members[0].Repairer.WaitingCount);
        members[0].Repairer.OnFloor((block * 64) + 63);
        Assert.Equal(0, members[0].Repairer.WaitingCount);
    }

    private static StreamHost Host() => new(new StreamNetwork()) { CacheOwners = Owners };

    /// <summary>A sequence soon after the beginning of a block that a member does not keep.</summary>
    private static ulong SequenceNotOwnedBy(StreamMember member) =>
        (Enumerable.Range(1, 100).Select(i => (ulong)i).First(b => !member.Repairer.Owners.IsOwner(b)) * 64) + 5;

    private static void Send(StreamHost host, int rounds, int messages)
    {
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < messages; i++)
            {
                host.Queue(1, new byte[1_200]);
            }

            host.Sender.OnReady();
            host.Network.Run(5_000_000);
            host.Aggregate();
        }
    }

    private static void Finish(StreamHost host, StreamMember[] members)
    {
        Assert.True(host.Network.RunUntil(
            () =>
            {
                host.Aggregate();
                return Array.TrueForAll(members, m => m.MessageCount == host.Sender.Counters.Messages);
            },
            5_000_000_000));
        Assert.All(members, m => Assert.Equal(0, m.Receiver.Counters.Skipped));
    }
}
