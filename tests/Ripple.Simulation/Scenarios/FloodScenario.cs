using System.Text;
using Ripple.Engine.Links;
using Ripple.Simulation.Runs;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Network;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The simplest thing that uses everything: nodes in two zones that flood each other with numbered datagrams through a real core and sink,
/// and report to a host over a control connection, under a plan of faults.
/// </summary>
/// <param name="makeNode">Makes a node; null for those that keep the rules.</param>
internal sealed class FloodScenario(Func<SimulatedMachine, SimulatedPort, FloodChecker, FloodNode>? makeNode = null) : IScenario
{
    private const long Second = 1_000_000_000;
    private readonly Func<SimulatedMachine, SimulatedPort, FloodChecker, FloodNode> _makeNode =
        makeNode ?? ((machine, port, flood) => new FloodNode(machine, port, flood));

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        var world = new SimulatedWorld(
            seed, new WorldOptions { ReplayArguments = options.ReplayArguments, Script = options.Script, Trace = options.Trace });
        world.Paths.SetDefaults(world.Paths.WithinZone with { Loss = 0.0005 }, world.Paths.BetweenZones with { Loss = 0.002 });
        var bounds = new BoundsChecker(world);
        var flood = new FloodChecker(world, options.Nodes);
        SimulatedMachine host = world.AddMachine("host", "east", new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        host.OnStart = machine => new FloodHost(machine, flood).Listen();
        for (int i = 0; i < options.Nodes; i++)
        {
            string name = $"node{i}";
            var peer = new LinkPeer
            {
                Kind = LinkPeerKind.Node,
                Application = "flood",
                Role = "node",
                Name = name,
                NodeIdHigh = 1,
                NodeIdLow = (ulong)i,
            };
            SimulatedMachine node = world.AddMachine(name, i % 2 == 0 ? "east" : "west", peer);
            node.OnStart = machine => StartNode(machine, flood, bounds);
        }

        foreach (SimulatedMachine machine in world.Machines)
        {
            machine.Start();
        }

        long durationNs = options.Seconds * Second;
        var plan = new FaultPlan(
            world,
            world.Random.Fork(100),
            new FaultPlanOptions { DurationNs = durationNs, QuietEndNs = Math.Min(durationNs / 2, 20 * Second) });
        plan.Start();
        world.Hasher.Add("flood", flood.AddTo);
        InvariantViolationException? violation = null;
        try
        {
            world.RunUntil(durationNs);
            if (options.Seconds >= 40)
            {
                flood.CheckLive();
            }
        }
        catch (InvariantViolationException e)
        {
            violation = e;
        }

        return RunResult.Of(world, violation, flood.SentCount, flood.ReceivedCount, options.IsVerbose ? LogOf(plan) : null);
    }

    private void StartNode(SimulatedMachine machine, FloodChecker flood, BoundsChecker bounds)
    {
        SimulatedPort port = machine.World.Network.Open(machine);
        FloodNode node = _makeNode(machine, port, flood);
        bounds.Register("received bytes that wait", () => port.ReceivedBytes, port.ReceiveBufferBytes, machine);
        bounds.Register("bytes that wait to leave", () => port.SendBacklogBytes, machine.World.Network.Options.SendBufferBytes, machine);
        bounds.Register("numbers kept", () => node.KeptCount, FloodNode.KeptMax, machine);
        node.Start();
    }

    private static string LogOf(FaultPlan plan)
    {
        var log = new StringBuilder();
        foreach (PlannedFault fault in plan.Timeline)
        {
            log.Append("  ").Append(fault).Append('\n');
        }

        return log.ToString();
    }
}
