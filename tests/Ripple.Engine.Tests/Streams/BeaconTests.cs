using Ripple.Engine.Streams;

namespace Ripple.Engine.Tests.Streams;

public sealed class BeaconTests
{
    private const long ProofNs = 20_000_000;

    [Fact]
    public void No_beacon_goes_out_while_proofs_come_as_fast_as_before()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        host.Join(3);
        Learn(network, host);
        long before = host.Sender.Counters.Beacons;
        for (int i = 0; i < 50; i++)
        {
            SendProved(network, host, ProofNs);
        }

        Assert.Equal(before, host.Sender.Counters.Beacons);
    }

    [Fact]
    public void A_beacon_that_nobody_answered_teaches_how_long_a_proof_can_take()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        host.Join(3);
        Learn(network, host);
        SendSomeLate(network, host);
        long before = host.Sender.Counters.Beacons;
        SendSomeLate(network, host);
        Assert.Equal(before, host.Sender.Counters.Beacons);

        static void SendSomeLate(StreamNetwork network, StreamHost host)
        {
            for (int i = 0; i < 50; i++)
            {
                SendProved(network, host, i % 3 == 2 ? 2 * ProofNs : ProofNs);
            }
        }
    }

    [Fact]
    public void A_beacon_that_was_answered_teaches_nothing_but_to_wait_longer_until_the_next_proof()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        Learn(network, host);
        for (int i = 0; i < 20; i++)
        {
            network.Drop = PacketLoss.FirstOf(member, host.Sender.NextSequence);
            SendProved(network, host, 4 * ProofNs);
            SendProved(network, host, ProofNs);
        }

        // Had the long times been measured, the beacon would now come after 80 ms and more.
        network.Drop = PacketLoss.FirstOf(member, host.Sender.NextSequence);
        int messages = member.Messages.Count;
        host.Send(1, [9]);
        network.Run(2 * ProofNs);
        Assert.Equal(messages + 1, member.Messages.Count);
    }

    [Fact]
    public void A_proof_that_is_late_brings_a_beacon_within_the_time_measured_and_its_deviation()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        Learn(network, host);
        long before = host.Sender.Counters.Beacons;
        network.Drop = PacketLoss.FirstOf(member, host.Sender.NextSequence);
        int messages = member.Messages.Count;
        host.Send(1, [9]);
        network.Run(ProofNs);
        Assert.Equal(before, host.Sender.Counters.Beacons);
        Assert.Equal(messages, member.Messages.Count);
        network.Run(ProofNs);
        Assert.Equal(before + 1, host.Sender.Counters.Beacons);
        Assert.Equal(messages + 1, member.Messages.Count);
    }

    [Fact]
    public void A_small_quiet_region_sees_a_lost_tail_within_the_least_time()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        for (int i = 0; i < 30; i++)
        {
            SendProved(network, host, 500_000);
        }

        network.Drop = PacketLoss.FirstOf(member, host.Sender.NextSequence);
        int messages = member.Messages.Count;
        host.Send(1, [9]);
        network.Run(StreamOptions.Default.BeaconFirstNs + 2_000_000);
        Assert.Equal(messages + 1, member.Messages.Count);
    }

    [Fact]
    public void However_long_proofs_take_the_first_beacon_waits_no_longer_than_its_most()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        host.Join(3);
        for (int i = 0; i < 30; i++)
        {
            SendProved(network, host, 2_000_000_000);
        }

        long before = host.Sender.Counters.Beacons;
        host.Send(1, [9]);
        network.Run(StreamOptions.Default.BeaconFirstMaxNs + 1_000_000);
        Assert.Equal(before + 1, host.Sender.Counters.Beacons);
    }

    [Fact]
    public void The_member_that_a_round_finds_behind_gets_a_beacon_alone_and_at_once()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember[] members = host.Join(2);
        Learn(network, host);
        long before = host.Sender.Counters.Beacons;
        long others = members[0].Receiver.Counters.Beacons;
        network.Drop = PacketLoss.FirstOf(members[1], host.Sender.NextSequence);
        int messages = members[1].Messages.Count;
        host.Send(1, [9]);
        network.Run(1_000_000);
        host.Sender.OnBehind(members[1].ControlPort.LocalAddress, members[1].Receiver.Contiguous);
        Assert.Equal(0, host.Sender.Counters.BeaconsToOne);
        network.Run(3_000_000);
        host.Sender.OnBehind(members[1].ControlPort.LocalAddress, members[1].Receiver.Contiguous);
        network.Run(3_000_000);
        Assert.Equal(1, host.Sender.Counters.BeaconsToOne);
        Assert.Equal(messages + 1, members[1].Messages.Count);
        Assert.Equal(others, members[0].Receiver.Counters.Beacons);
        Assert.Equal(before, host.Sender.Counters.Beacons);
    }

    /// <summary>Until the sender knows how long a proof takes.</summary>
    private static void Learn(StreamNetwork network, StreamHost host)
    {
        for (int i = 0; i < 40; i++)
        {
            SendProved(network, host, ProofNs);
        }
    }

    private static void SendProved(StreamNetwork network, StreamHost host, long proofNs)
    {
        host.Send(1, [1]);
        network.Run(proofNs);
        host.Aggregate();
        network.Run(1_000_000);
    }
}
