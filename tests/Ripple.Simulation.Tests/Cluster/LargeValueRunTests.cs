using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Tests.Cluster;

/// <summary>Values of megabytes come by the stream to few nodes too, though they are there before their release is verified.</summary>
public sealed class LargeValueRunTests
{
    private const long MillisecondNs = 1_000_000;
    private const long SecondNs = 1_000_000_000;

    [Theory]
    [InlineData(1, 62_000)]
    [InlineData(2, 5 * MillisecondNs)]
    [InlineData(3, 20 * MillisecondNs)]
    public void Nobody_asks_the_host_for_what_the_stream_brought_too_early(ulong seed, long verifyNs)
    {
        var cluster = new SimulatedCluster(seed, new ClusterOptions
        {
            Nodes = 8,
            HasFaults = false,
            HasForger = false,
            RejectShare = 0,
            PublishEveryNs = 3 * SecondNs,
            VerifyNs = verifyNs,
            TunePublisher = (_, publisher, _) => (publisher.LargeShare, publisher.LargeMiBMax) = (1, 1),
        });
        cluster.Run();

        Assert.InRange(cluster.Clients.Sum(c => c.Node!.Counters.ValuesStreamed), 8 * 5, long.MaxValue);
        Assert.Equal(0, cluster.Clients.Sum(c => c.Node!.Counters.ValuesAsked));
    }
}
