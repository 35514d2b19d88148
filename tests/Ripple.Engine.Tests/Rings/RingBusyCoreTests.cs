using Ripple.Engine.Core;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

/// <summary>Rounds beside data that waits at the core which they share with it.</summary>
public sealed class RingBusyCoreTests
{
    private const uint Topic = 7;
    private const long Ms = 1_000_000;

    [Theory]
    [InlineData(0, 0)]
    [InlineData(2, 2)]
    [InlineData(60_000, 5)]
    public void A_round_for_a_change_is_put_off_while_data_waits_and_for_five_milliseconds_in_all(int dataMs, int waitedMs)
    {
        var net = new RingNet(10);
        long beganNs = 0;
        net.Install();
        net.RunMs(500);
        net.OnSent = (_, _, type) => beganNs = beganNs == 0 && type == FrameType.Token ? net.NowNs : beganNs;
        long changedNs = net.NowNs;
        net.Core.Add(new Data(net.Core, changedNs + (dataMs * Ms)));

        Set(net, 1);
        net.Leader.Ring.OnChanged();
        net.RunMs(20);

        RingOptions options = RingOptions.Default;
        Assert.InRange(beganNs - changedNs, waitedMs * Ms, (waitedMs * Ms) + options.PauseMinNs + options.DataWaitNs);
        Assert.All(net.Members.Keys, slot => Assert.Equal(1ul, net.Sender.Of(slot, Topic).Applied));
    }

    [Theory]
    [InlineData(false, 63, 70)]
    [InlineData(true, 47, 53)]
    public void Rounds_for_what_changes_meanwhile_take_two_thirds_of_the_time_and_half_of_it_while_data_waits(
        bool hasData, int percentMin, int percentMax)
    {
        // Ten hops of a millisecond.
        var net = new RingNet(10) { DelayNs = (_, _, _) => Ms };
        net.Install();
        net.RunMs(100);
        if (hasData)
        {
            net.Core.Add(new Data(net.Core, long.MaxValue));
        }

        int underWay = 0;
        for (int i = 1; i <= 6_000; i++)
        {
            if (net.TokensInFlight > 0)
            {
                // In the last two seconds: until then the leader learns what a round takes.
                underWay += i > 4_000 ? 1 : 0;
                Set(net, (ulong)i);
                net.Leader.Ring.OnChanged();
            }

            net.RunMs(1);
        }

        Assert.InRange(underWay / 20, percentMin, percentMax);
    }

    private static void Set(RingNet net, ulong release)
    {
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Set(Topic, release, release, release);
        }
    }

    /// <summary>A packet of data in each turn, up to a time.</summary>
    private sealed class Data(CoreLoop core, long untilNs) : IIoSource, IDatagramHandler
    {
        public bool HasData => false;

        public int Drain(IoQueue queue, int packetsMax)
        {
            if (core.NowNs >= untilNs || !queue.TryReserve(PortLane.Data, PortLimits.PacketBytesMin, out Span<byte> room))
            {
                return 0;
            }

            room.Clear();
            return queue.Commit(PortLane.Data, room.Length, this);
        }

        public void OnDatagram(Span<byte> datagram)
        {
        }
    }
}
