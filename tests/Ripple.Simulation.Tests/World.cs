using Ripple.Engine.Links;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Tests;

internal static class World
{
    public const long Ms = 1_000_000;
    public const long Second = 1_000_000_000;

    public static LinkPeer Node(string name) => new()
    {
        Kind = LinkPeerKind.Node,
        NodeIdHigh = 1,
        NodeIdLow = (ulong)name.Length,
        Application = "shop",
        Role = "node",
        TokenId = "token",
        Name = name,
    };

    public static LinkPeer Host(string name) => new() { Kind = LinkPeerKind.Host, Name = name };

    public static SimulatedMachine AddNode(
        this SimulatedWorld world, string name, string zone = "zone", SimulatedMachineOptions? options = null) =>
        world.AddMachine(name, zone, Node(name), options);

    public static SimulatedMachine AddHost(this SimulatedWorld world, string name, string zone = "zone") =>
        world.AddMachine(name, zone, Host(name));

    public static void RunFor(this SimulatedWorld world, long durationNs) => world.RunUntil(world.Scheduler.NowNs + durationNs);
}
