using System.Diagnostics;
using System.Text;
using Quickstart.Hosting;
using Quickstart.Nodes;
using Quickstart.Showing;
using Ripple.Client;

namespace Quickstart.Stories;

/// <summary>What the stories are told with: publishing, waiting, and checking what the nodes report.</summary>
internal sealed class Stage(Cluster cluster, Fleet fleet, Display display)
{
    // Longer than a node waits itself: what a node says of its failure is told, and not that it is missing.
    private static readonly TimeSpan JoinLimit = Cluster.ConnectLimit + TimeSpan.FromSeconds(15);
    private static readonly TimeSpan ReportLimit = TimeSpan.FromSeconds(60);

    private readonly SortedDictionary<string, ReadOnlyMemory<byte>> _values = new(StringComparer.Ordinal);

    public Cluster Cluster { get; } = cluster;

    public Fleet Fleet { get; } = fleet;

    public Display Display { get; } = display;

    public Observations Observations => Fleet.Observations;

    public static void Check(bool isTrue, string claim, string found)
    {
        if (!isTrue)
        {
            throw new QuickstartException($"Expected: {claim}. Found: {found}.");
        }
    }

    public async Task StartNodesAsync(CancellationToken cancellationToken)
    {
        var watch = Stopwatch.StartNew();
        for (int process = 0; process < Fleet.ProcessCount; process++)
        {
            Fleet.Start(process);
        }

        await WaitJoinedAsync(Fleet.AllNodes, cancellationToken);
        Display.Say(
            $"A host and {Fleet.NodeCount} nodes in {Fleet.ProcessCount} processes and {Fleet.Zones.Count} zones "
                + $"({string.Join(", ", Fleet.Zones)}), joined in {watch.ElapsedMilliseconds} ms.");
    }

    public async Task WaitJoinedAsync(IReadOnlyCollection<int> nodes, CancellationToken cancellationToken)
    {
        bool haveJoined = await Observations.UntilAsync(
            nodes, n => Observations.Newest(NodeReport.Joined, n) is not null, JoinLimit, cancellationToken);
        Check(
            haveJoined,
            $"{nodes.Count} nodes join within {JoinLimit.TotalSeconds} s",
            $"missing: {Names(nodes.Where(n => Observations.Newest(NodeReport.Joined, n) is null))}");
    }

    public Task<Published> PublishAsync(string what, string key, string value, CancellationToken cancellationToken) =>
        PublishAsync(what, new Dictionary<string, ReadOnlyMemory<byte>> { [key] = Encoding.UTF8.GetBytes(value) }, cancellationToken);

    public async Task<Published> PublishAsync(
        string what, IReadOnlyDictionary<string, ReadOnlyMemory<byte>> set, CancellationToken cancellationToken)
    {
        foreach ((string key, ReadOnlyMemory<byte> value) in set)
        {
            _values[key] = value;
        }

        string hash = ValuesHash.Of(_values);
        long bytes = Cluster.Server.DatagramBytesSent;
        long now = Stopwatch.GetTimestamp();
        PublishResult result = await Cluster.Publisher.PublishAsync(new PublishRequest { Set = set, Note = what }, cancellationToken);
        return new Published(result.Release, what, hash, now, bytes);
    }

    /// <summary>Asks a host to wait; the release's row is kept up to date meanwhile.</summary>
    public Task<WaitResult> WaitAsync(Published published, string predicate, CancellationToken cancellationToken) =>
        Cluster.Publisher.WaitAsync(Cluster.Application, published.Release, predicate, ReportLimit, null, cancellationToken);

    /// <summary>Waits until nodes report a release in effect, and checks that all have the publisher's bytes.</summary>
    public async Task CheckAppliedAsync(Published published, IReadOnlyCollection<int> nodes, CancellationToken cancellationToken)
    {
        bool isThere = await Observations.UntilAsync(
            nodes, n => Observations.Applied(n, published.Release) is not null, ReportLimit, cancellationToken);
        Check(
            isThere,
            $"release {published.Release} in effect at {nodes.Count} nodes",
            $"missing: {Names(nodes.Where(n => Observations.Applied(n, published.Release) is null))}");
        int[] wrong = [.. nodes.Where(n => Observations.Applied(n, published.Release)!.Hash != published.Hash)];
        Check(wrong.Length == 0, $"release {published.Release} has SHA-256 {published.Hash} everywhere", $"another one at {Names(wrong)}");
    }

    /// <summary>Asks nodes what is in effect at them now, and checks that it is a release, byte for byte.</summary>
    public async Task CheckCurrentAsync(Published published, IReadOnlyCollection<int> nodes, CancellationToken cancellationToken)
    {
        Observations.Forget(NodeReport.Current, Fleet.AllNodes);
        await Fleet.SendAllAsync(NodeProcess.CurrentCommand, cancellationToken);
        bool haveAnswered = await Observations.UntilAsync(
            nodes, n => Observations.Newest(NodeReport.Current, n) is not null, ReportLimit, cancellationToken);
        Check(haveAnswered, $"{nodes.Count} nodes say what is in effect", "some did not answer");
        foreach (int node in nodes)
        {
            NodeReport current = Observations.Newest(NodeReport.Current, node)!;
            Check(
                current.Release == published.Release && current.Hash == published.Hash,
                $"{NodeProcessSettings.NameOf(node)} has release {published.Release} with SHA-256 {published.Hash}",
                $"release {current.Release} with {current.Hash}");
        }
    }

    public static string Names(IEnumerable<int> nodes) => string.Join(", ", nodes.Select(NodeProcessSettings.NameOf));
}
