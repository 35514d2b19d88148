using System.Collections.Immutable;
using Ripple.Engine.Nodes;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Oracles.Predicates;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster.Applications;

/// <summary>
/// Several applications in one cluster: of three nodes each belongs to another one; some have an interest in the next application or in
/// all, and some keep only a part of the keys. All have labels.
/// </summary>
internal static class ApplicationMix
{
    /// <summary>One node in this many runs the real client, which keeps all keys.</summary>
    public const int RealClientsEvery = 4;

    /// <summary>The applications.</summary>
    public static ImmutableArray<string> Names { get; } = [SimulatedCluster.Application, "cart", "mail"];

    /// <summary>The settings of a node.</summary>
    public static NodeOptions Tune(int index, NodeOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        string next = Names[(Names.IndexOf(options.Application) + 1) % Names.Length];
        return options with
        {
            Interest = (index % 5) switch { 1 or 4 => [next], 3 => Names, _ => [] },
            Labels = [KeyValuePair.Create("ring", index % 4 == 1 ? "canary" : "stable"), KeyValuePair.Create("rack", $"r{index % 3}")],
            IsWanted = index % RealClientsEvery == 2 ? KeepsKey : null,
        };
    }

    /// <summary>Lets a publisher wait with predicates of all kinds, and publish large values now and then.</summary>
    public static void Tune(SimulatedWorld world, SimulatedPublisher publisher, ClusterOracles oracles)
    {
        ArgumentNullException.ThrowIfNull(world);
        ArgumentNullException.ThrowIfNull(publisher);
        ArgumentNullException.ThrowIfNull(oracles);
        PredicateMember[] members = [.. oracles.Members.Of(publisher.Application).Select(n => n.Member)];
        if (members.Length > 0)
        {
            publisher.NextPredicate = new PredicateDraw(world.Random.Fork(22), members).Next;
        }

        publisher.LargeShare = 0.004;
        publisher.BurstMax = 4;
        publisher.NoteOf = id => $"simulated {new string('n', id.ToByteArray()[0] * 7)}";
        publisher.HasProgress = true;
        publisher.HasShortWaits = true;
        publisher.NoTimeShare = (oracles.Judges & Judges.NoTime) != 0 ? 0.1 : 0;
    }

    private static bool KeepsKey(string application, string key) => (application[0] + key[^1]) % 3 != 0;
}
