using Ripple.Engine.Core;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Simulation;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Checking;

public class CheckingTests
{
    [Fact]
    public void A_gauge_above_its_bound_ends_the_run_with_its_name_and_the_time()
    {
        var world = new SimulatedWorld(11, new WorldOptions { ReplayArguments = "--nodes 3" });
        SimulatedMachine machine = world.AddNode("a");
        var bounds = new BoundsChecker(world);
        long waiting = 0;
        bounds.Register("frames that wait", () => waiting, 2);
        machine.Start();
        machine.Post(() => waiting = 2);
        world.RunFor(Ms);
        machine.Post(() => waiting = 3);
        InvariantViolationException violation = Assert.Throws<InvariantViolationException>(() => world.RunFor(Ms));
        Assert.Equal("Bounds", violation.Checker);
        Assert.Equal(11UL, violation.Seed);
        Assert.Equal(Ms, violation.TimeNs);
        Assert.Contains("frames that wait is 3, its bound 2", violation.Message, StringComparison.Ordinal);
        Assert.Contains("--seeds 11..11 --nodes 3", violation.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_machines_gauges_are_forgotten_with_its_process()
    {
        var world = new SimulatedWorld(1);
        SimulatedMachine machine = world.AddNode("a");
        var bounds = new BoundsChecker(world);
        long value = 0;
        machine.OnStart = m => bounds.Register("value", () => value, m.StartCount, m);
        machine.Start();
        machine.Crash();
        machine.Start();
        value = 2;
        machine.Post(() => { });
        world.RunFor(Ms);
        value = 3;
        machine.Post(() => { });
        Assert.Throws<InvariantViolationException>(() => world.RunFor(Ms));
    }

    [Fact]
    public void Checkers_are_asked_after_every_turn_of_every_machine()
    {
        var world = new SimulatedWorld(1);
        SimulatedMachine a = world.AddNode("a");
        SimulatedMachine b = world.AddNode("b");
        var checker = new Asked(world);
        world.Add(checker);
        a.Start();
        b.Start();
        a.Post(() => { });
        b.Post(() => { });
        world.RunFor(Ms);
        Assert.Equal(a.StepCount + b.StepCount, checker.Machines.Count);
        Assert.Contains(a, checker.Machines);
        Assert.Contains(b, checker.Machines);
    }

    [Fact]
    public void The_state_hash_follows_every_part_and_names_the_one_that_differs()
    {
        ulong value = 1;
        var hasher = new StateHasher();
        hasher.Add("same", (ref StableHash hash) => hash.Add(7UL));
        hasher.Add("changing", (ref StableHash hash) => hash.Add(value));
        ulong before = hasher.Compute();
        IReadOnlyList<(string Name, ulong Hash)> partsBefore = hasher.ComputeParts();
        Assert.Equal(before, hasher.Compute());
        value = 2;
        Assert.NotEqual(before, hasher.Compute());
        Assert.Equal(["changing"], hasher.ComputeParts().Except(partsBefore).Select(p => p.Name));
    }

    private sealed class Asked(SimulatedWorld world) : IChecker
    {
        public List<SimulatedMachine> Machines { get; } = [];

        public string Name => "Asked";

        public void OnStep(long nowNs)
        {
            Assert.Equal(world.Scheduler.NowNs, nowNs);
            Machines.Add(world.LastStepped!);
        }
    }
}
