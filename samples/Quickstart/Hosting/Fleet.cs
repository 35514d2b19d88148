using Quickstart.Nodes;

namespace Quickstart.Hosting;

/// <summary>The node processes: four with thirteen nodes each, in two zones.</summary>
internal sealed class Fleet(Cluster cluster) : IAsyncDisposable
{
    public const int ProcessCount = 4;
    public const int NodesPerProcess = 13;
    public const int NodeCount = ProcessCount * NodesPerProcess;

    /// <summary>The node that looks at releases before it takes them.</summary>
    public const int Critic = 7;

    private readonly NodeChild?[] _children = new NodeChild?[ProcessCount];

    public static IReadOnlyList<string> Zones { get; } = ["east", "west"];

    public static IReadOnlyList<int> AllNodes { get; } = [.. Enumerable.Range(1, NodeCount)];

    public Observations Observations { get; } = new();

    /// <summary>The nodes whose process runs.</summary>
    public IReadOnlyList<int> RunningNodes => [.. _children.OfType<NodeChild>().SelectMany(c => c.Settings.Nodes)];

    public static IReadOnlyList<int> NodesOf(int process) => [.. Enumerable.Range((process * NodesPerProcess) + 1, NodesPerProcess)];

    public void Start(int process)
    {
        Directory.CreateDirectory(cluster.StateDirectory);
        var settings = new NodeProcessSettings(
            (process * NodesPerProcess) + 1,
            NodesPerProcess,
            Zones[process * Zones.Count / ProcessCount],
            cluster.ClientConnection,
            cluster.StateDirectory,
            Critic);
        _children[process] = NodeChild.Start(settings, Observations);
    }

    /// <summary>Kills a process with SIGKILL; returns its id.</summary>
    public async Task<int> KillAsync(int process)
    {
        NodeChild child = _children[process] ?? throw new InvalidOperationException("It does not run.");
        _children[process] = null;
        int id = child.ProcessId;
        await child.KillAsync();
        await child.DisposeAsync();
        return id;
    }

    public async Task SendAllAsync(string line, CancellationToken cancellationToken)
    {
        foreach (NodeChild child in _children.OfType<NodeChild>())
        {
            await child.SendAsync(line, cancellationToken);
        }
    }

    public async ValueTask DisposeAsync() => await Task.WhenAll(_children.OfType<NodeChild>().Select(c => c.DisposeAsync().AsTask()));
}
