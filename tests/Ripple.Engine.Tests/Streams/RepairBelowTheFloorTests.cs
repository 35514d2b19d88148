namespace Ripple.Engine.Tests.Streams;

/// <summary>Who asks for what the sender has given up is told so, or it asks for ever.</summary>
public sealed class RepairBelowTheFloorTests
{
    private const int Sent = 5;

    [Theory]
    [InlineData(1, true)]
    [InlineData(2, true)]
    [InlineData(3, false)]
    [InlineData(5, false)]
    public void A_request_at_the_floor_or_below_gets_a_beacon_and_above_it_a_repair(ulong asked, bool isTooOld)
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        for (int i = 0; i < Sent; i++)
        {
            host.Queue(1, StreamDeliveryTests.Payload(i, 1_384));
        }

        host.Sender.OnReady();
        network.Run(1_000_000);
        host.Sender.ReleaseFloor(2);
        Assert.Equal((ulong)Sent, host.Sender.Highest);
        Assert.Equal(2UL, host.Sender.Floor);

        host.Sender.OnNak(
            member.DataPort.LocalAddress, member.ControlPort.LocalAddress, StreamRepairTests.Nak(StreamHost.Origin, asked));
        network.Run(1_000_000);

        Assert.Equal(isTooOld ? 1 : 0, host.Sender.Counters.NaksTooOld);
        Assert.Equal(isTooOld ? 1 : 0, member.Receiver.Counters.Beacons);
        Assert.Equal(isTooOld ? 0 : 1, host.Sender.Counters.Repairs);
        // What it needs to know to skip what it misses.
        Assert.Equal(isTooOld ? 2UL : 0UL, member.Receiver.Floor);
    }
}
