using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Engine.Tests.Rings;

[Collection(nameof(Alone))]
public sealed class RingAllocationTests
{
    [Fact]
    public void Rounds_allocate_nothing_after_the_first_ones()
    {
        var net = new RingNet(20);
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Streams.Add(new StreamProgress(RingNet.Origin, 5, 6));
            node.Has.Rejections.Add(new RejectionRow(7, 1, 3, "no"));
        }

        net.IsLost = (_, to, _) => to == 0;
        net.Install();
        // The runtime's count is off by part of an allocation block when a collection falls in between: what allocates does so in each of
        // the four parts.
        long[] allocated = new long[4];
        for (ulong release = 1; release <= 400; release++)
        {
            for (uint topic = 1; topic <= 3; topic++)
            {
                RingRoundTests.SetAll(net, topic, release);
                net.Members[5].Has.Set(topic, release, release - 1, release - 1);
            }

            net.Leader.Ring.OnChanged();
            long before = GC.GetAllocatedBytesForCurrentThread();
            net.RunMs(10);
            allocated[(release - 1) / 100] += GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Assert.True(net.Leader.Ring.Counters.Rounds >= 400);
        Assert.Equal(0, allocated.Min());
    }

    [Fact]
    public void Reading_an_aggregate_and_acknowledging_it_allocates_nothing()
    {
        var net = new RingNet(20);
        RingRoundTests.SetAll(net, 7, 10);
        byte[] aggregate = [];
        net.OnBytes = (to, bytes) => aggregate = to == 0 ? bytes.ToArray() : aggregate;
        net.Install();
        net.RunMs(50);
        byte[] ack = new byte[64];
        var reader = new AggregateReader();
        var handler = new CountingHandler();
        long before = 0;
        for (int i = 0; i < 200; i++)
        {
            before = i == 100 ? GC.GetAllocatedBytesForCurrentThread() : before;
            reader.TryRead(aggregate.AsSpan(Ripple.Engine.Wire.FrameReader.HeaderBytes), net.View, net.View.PartAt(0), handler);
            reader.WriteAck(ack, 1, 2);
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
        Assert.Equal(200 * 20, handler.Rows);
    }

    private sealed class CountingHandler : IAggregateHandler
    {
        public int Rows { get; private set; }

        public void OnRound(bool isQuiet)
        {
        }

        public void OnSilent(int position)
        {
        }

        public void OnStream(ulong origin, ulong minContiguous, int minPosition)
        {
        }

        public void OnLevels(int position, uint topic, uint generation, ulong received, ulong persisted, ulong applied) => Rows++;

        public void OnRejection(int position, uint topic, uint generation, ulong release, string reason)
        {
        }
    }
}
