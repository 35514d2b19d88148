using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using Ripple.Load.Push;

namespace Ripple.Load.Peers;

/// <summary>Measures the peers right before and right after this program's own measurement, so that each figure of it becomes a ratio within one run.</summary>
internal sealed class PeerComparison : IDisposable
{
    public const string Option = "--peers";

    /// <summary>The environment variable with the folder where <see cref="Option"/> is not given.</summary>
    public const string Variable = "RIPPLE_LOAD_PEERS";

    private readonly PeerBench _bench;
    private readonly Dictionary<string, List<PeerCell>> _cells = [];

    private PeerComparison(PeerBench bench) => _bench = bench;

    /// <summary>Takes "--peers FOLDER" out of the arguments. Without it the folder is that of the environment variable, or shared/peers beside the repository: null, and a line
    /// that says why, when that is not there or what it takes is missing.</summary>
    /// <exception cref="PeerException">A folder was asked for, and it or something that the comparison takes is missing.</exception>
    public static async Task<(PeerComparison? Comparison, string[] Arguments)> TakeAsync(string[] args)
    {
        int at = Array.IndexOf(args, Option);
        if (at >= 0)
        {
            return at + 1 < args.Length
                ? (new(await PeerBench.MakeAsync(args[at + 1])), [.. args[..at], .. args[(at + 2)..]])
                : throw new PeerException($"{Option} takes the folder with the generator's source behind it.");
        }

        string? folder = Environment.GetEnvironmentVariable(Variable);
        if (!string.IsNullOrEmpty(folder))
        {
            return (new(await PeerBench.MakeAsync(folder)), args);
        }

        try
        {
            return (new(await PeerBench.MakeAsync(BesideTheRepository())), args);
        }
        catch (PeerException e)
        {
            Console.WriteLine($"peers   not measured: {e.Message}");
            return (null, args);
        }
    }

    /// <summary>Measures each peer once: at the rate of a push, or its saturation when that has a window.</summary>
    public async Task MeasureAsync(PushOptions options)
    {
        foreach (Peer peer in Peer.All)
        {
            PeerCell cell = await _bench.MeasureAsync(peer, options);
            if (!_cells.TryGetValue(peer.Name, out List<PeerCell>? cells))
            {
                _cells.Add(peer.Name, cells = []);
            }

            cells.Add(cell);
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"peer    {peer.Name,-6} last p50/p99 {cell.LastP50Ms:F2}/{cell.LastP99Ms:F2} ms, server cpu {cell.ServerCpuMs:F2} ms and {cell.Bytes / 1e3:F0} KB a release, {cell.DeliveriesPerSecond:F0} deliveries/s, incomplete {cell.Incomplete}"));
        }
    }

    /// <summary>Adds the peers' figures to a result, and the result's ratios to them: means of before and after.</summary>
    public string AddTo<T>(T result)
    {
        JsonObject json = JsonSerializer.SerializeToNode(result)!.AsObject();
        foreach ((string name, List<PeerCell> cells) in _cells)
        {
            Add(json, name, "last_p50_ms", cells.Average(c => c.LastP50Ms));
            Add(json, name, "last_p99_ms", cells.Average(c => c.LastP99Ms));
            Add(json, name, "server_cpu_ms_per_release", cells.Average(c => c.ServerCpuMs));
            Add(json, name, "deliveries_s", cells.Average(c => c.DeliveriesPerSecond));
            json[$"{name}_server_cpu_ms"] = json[$"{name}_server_cpu_ms_per_release"]!.GetValue<double>();
            json.Remove($"{name}_server_cpu_ms_per_release");
        }

        return json.ToJsonString();
    }

    public void Dispose() => _bench.Dispose();

    private static string BesideTheRepository()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "Ripple.sln")))
        {
            folder = folder.Parent;
        }

        return Path.GetFullPath(Path.Combine(folder?.FullName ?? AppContext.BaseDirectory, "..", "shared", "peers"));
    }

    private static void Add(JsonObject json, string peer, string figure, double value)
    {
        json[$"{peer}_{figure}"] = Math.Round(value, 3);
        if (json[figure] is JsonValue own && value > 0)
        {
            json[$"{figure}_ratio_to_{peer}"] = Math.Round(own.GetValue<double>() / value, 3);
        }
    }
}
