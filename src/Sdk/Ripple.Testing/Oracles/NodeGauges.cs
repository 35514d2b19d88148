using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;
using Ripple.Testing.Checking;
using Ripple.Testing.Clients;
using Ripple.Testing.Cluster;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Oracles;

/// <summary>
/// The gauges of a node, its stream, its ring and its client, read after each of its turns. Bounds that no option sets are numbers here, so
/// that a bound that the product loses is seen.
/// </summary>
internal sealed class NodeGauges(SimulatedClient client, string application, NodeLimits limits)
{
    private const int PendingMax = 256;
    private const int RejectionsMax = 64;
    private const int DatagramsMax = 256;
    private const int ReportsMax = 256 + 1_024;
    private const int ClientEventsMax = 256;
    private const int WatchedMax = 64;
    private const int SharedMax = 256;
    private const int SharedBytesMax = 4 * 1_024 * 1_024;
    private Node? _node;
    private ApplicationReplica? _replica;

    /// <summary>Registers the gauges of what nodes share.</summary>
    public static void RegisterShared(BoundsChecker bounds, SimulatedWorld world)
    {
        ArgumentNullException.ThrowIfNull(bounds);
        ArgumentNullException.ThrowIfNull(world);
        bounds.Register("decoded releases that nodes share", () => world.Share.Releases.Count, SharedMax);
        bounds.Register("bytes of decoded releases that nodes share", () => world.Share.Releases.Bytes, SharedBytesMax);
    }

    /// <summary>Registers the gauges of a process that starts.</summary>
    public void Register(BoundsChecker bounds)
    {
        ArgumentNullException.ThrowIfNull(bounds);
        SimulatedMachine machine = client.Machine;
        bounds.Register("releases that wait for others", () => Replica()?.PendingCount ?? 0, PendingMax, machine);
        // Those whose signatures were being verified when there was no more room still come in.
        bounds.Register("releases that wait for values", () => Replica()?.StagedCount ?? 0, limits.StagedMax + PendingMax, machine);
        bounds.Register("states that wait for a decision", () => Replica()?.CandidateCount ?? 0, 1, machine);
        bounds.Register("rejections", () => Replica()?.Rejections.Count ?? 0, RejectionsMax, machine);
        bounds.Register("calls", () => client.Node?.Calls.Count ?? 0, limits.CallsMax, machine);
        bounds.Register("datagrams held before the key", () => client.Node?.HeldDatagrams ?? 0, DatagramsMax, machine);
        bounds.Register(
            "messages being assembled", () => client.Node?.Region?.Receiver.AssemblyCount ?? 0, limits.Stream.AssemblyCountMax, machine);
        bounds.Register(
            "bytes being assembled", () => client.Node?.Region?.Receiver.AssemblyBytes ?? 0, limits.Stream.AssemblyBytesMax, machine);
        bounds.Register("reports kept for the ring", () => client.Node?.Region?.Ring.ReportCount ?? 0, ReportsMax, machine);
        if (client is SimulatedRippleClient real)
        {
            bounds.Register("events that wait for the dispatcher", () => real.Client?.Queued.Events ?? 0, ClientEventsMax, machine);
            bounds.Register("releases that wait for a watch", () => real.Client?.Queued.Releases ?? 0, WatchedMax, machine);
        }
    }

    private ApplicationReplica? Replica()
    {
        if (!ReferenceEquals(_node, client.Node))
        {
            _node = client.Node;
            _replica = _node?.Find(application);
        }

        return _replica;
    }
}
