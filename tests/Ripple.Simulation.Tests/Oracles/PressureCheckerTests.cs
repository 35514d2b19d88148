using Ripple.Simulator.Checking;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Tests.Oracles;

public class PressureCheckerTests
{
    [Theory]
    [InlineData(4, 2_000)]
    [InlineData(40, 100)]
    public void A_run_whose_nodes_have_too_little_or_too_much_to_do_before_is_no_pressure(int nodes, int publishEveryMs)
    {
        var cluster = new SimulatedCluster(2, new ClusterOptions
        {
            Nodes = nodes,
            PublishEveryNs = publishEveryMs * 1_000_000L,
            HasFaults = false,
            HasForger = false,
            HasPressure = true,
            TunePublisher = (_, publisher, _) => publisher.IsBrief = true,
        });

        InvariantViolationException violation = Assert.Throws<InvariantViolationException>(cluster.Run);

        Assert.Equal("Pressure", violation.Checker);
        Assert.Contains("before the pressure the nodes need", violation.Message, StringComparison.Ordinal);
    }
}
