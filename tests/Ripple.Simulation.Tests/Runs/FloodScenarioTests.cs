using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;
using Ripple.Simulator.Network;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Tests.Runs;

/// <summary>The checkers of the flood find a node that breaks a rule.</summary>
public class FloodScenarioTests
{
    [Fact]
    public void A_node_that_keeps_the_rules_violates_none() => Assert.Null(CheckerThatFinds((m, p, f) => new FloodNode(m, p, f)));

    [Fact]
    public void A_datagram_that_counts_twice_is_found() =>
        Assert.Equal(FloodChecker.CheckerName, CheckerThatFinds((m, p, f) => new CountsTwice(m, p, f)));

    [Fact]
    public void A_report_that_is_left_out_is_found() =>
        Assert.Equal(FloodChecker.CheckerName, CheckerThatFinds((m, p, f) => new SkipsReport(m, p, f)));

    [Fact]
    public void A_node_that_keeps_everything_is_found() =>
        Assert.Equal("Bounds", CheckerThatFinds((m, p, f) => new KeepsEverything(m, p, f)));

    private static string? CheckerThatFinds(Func<SimulatedMachine, SimulatedPort, FloodChecker, FloodNode> makeNode) =>
        new FloodScenario(makeNode).Run(1, new ScenarioOptions { Seconds = 20, Nodes = 4 }).Checker;

    private sealed class CountsTwice(SimulatedMachine machine, SimulatedPort port, FloodChecker flood) : FloodNode(machine, port, flood)
    {
        protected override int CountOf(ulong number) => number % 50 == 0 ? 2 : 1;
    }

    private sealed class SkipsReport(SimulatedMachine machine, SimulatedPort port, FloodChecker flood) : FloodNode(machine, port, flood)
    {
        protected override ulong ReportAfter(ulong number) => number + (number == 40 ? 2u : 1u);
    }

    private sealed class KeepsEverything(SimulatedMachine machine, SimulatedPort port, FloodChecker flood) : FloodNode(machine, port, flood)
    {
        protected override int KeepMax => int.MaxValue;
    }
}
