using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using Ripple.Load.Push;

namespace Ripple.Load.Peers;

/// <summary>
/// Measures the peers right before and right after this program's own measurement, so that each figure of it becomes a ratio within one
/// run.
/// </summary>
internal sealed class PeerComparison : IDisposable
{
    private readonly PeerBench _bench;
    private readonly bool _isAskedFor;
    private readonly Dictionary<string, List<PeerCell>> _cells = [];
    private readonly List<(PeerCell Before, PeerCell After)> _disturbed = [];
    private bool _isGivenUp;

    private PeerComparison(PeerBench bench, bool isAskedFor)
    {
        _bench = bench;
        _isAskedFor = isAskedFor;
    }

    /// <summary>
    /// Makes what measures the peers; null, and a line that says why, when something is missing and nobody asked for them.
    /// </summary>
    /// <exception cref="PeerException">They were asked for, and something that they take is missing.</exception>
    public static async Task<PeerComparison?> MakeAsync(PeerFolder folder)
    {
        try
        {
            return new(await PeerBench.MakeAsync(folder.Path), folder.IsAskedFor);
        }
        catch (PeerException e) when (!folder.IsAskedFor)
        {
            SayNotMeasured(e);
            return null;
        }
    }

    /// <summary>
    /// Measures each peer once: at the rate of a push, or its saturation when that has a window. Where nobody asked for them, one that
    /// fails leaves the result without peers.
    /// </summary>
    /// <exception cref="PeerException">They were asked for, and one failed.</exception>
    public async Task MeasureAsync(PushOptions options)
    {
        if (_isGivenUp)
        {
            return;
        }

        try
        {
            foreach (Peer peer in Peer.All)
            {
                await MeasureAsync(peer, options);
            }

            if (options.DisturbSeconds > 0)
            {
                _disturbed.Add(await _bench.MeasureDisturbedAsync(Peer.All.Single(p => p.Name == Peer.Etcd), options));
            }
        }
        catch (PeerException e) when (!_isAskedFor)
        {
            SayNotMeasured(e);
            _isGivenUp = true;
            _cells.Clear();
            _disturbed.Clear();
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

        if (_disturbed.Count > 0)
        {
            Add(json, Peer.Etcd, "last_p50_ms_before", _disturbed.Average(d => d.Before.LastP50Ms));
            Add(json, Peer.Etcd, "last_p50_ms_after", _disturbed.Average(d => d.After.LastP50Ms));
        }

        return json.ToJsonString();
    }

    public void Dispose() => _bench.Dispose();

    private static void SayNotMeasured(PeerException e) => Console.WriteLine($"peers   not measured: {e.Message}");

    private async Task MeasureAsync(Peer peer, PushOptions options)
    {
        PeerCell cell = await _bench.MeasureAsync(peer, options);
        if (!_cells.TryGetValue(peer.Name, out List<PeerCell>? cells))
        {
            _cells.Add(peer.Name, cells = []);
        }

        cells.Add(cell);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"peer    {peer.Name,-6} last p50/p99 {cell.LastP50Ms:F2}/{cell.LastP99Ms:F2} ms, server cpu {cell.ServerCpuMs:F2} ms and "
                + $"{cell.Bytes / 1e3:F0} KB a release, {cell.DeliveriesPerSecond:F0} deliveries/s, incomplete {cell.Incomplete}"));
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
