using System.Text.Json;
using Quickstart.Hosting;
using Ripple.Client;

namespace Quickstart.Nodes;

/// <summary>One node: a client, and a watch that reports every release put in effect with the hash of its values.</summary>
internal sealed class Node(int number, NodeProcessSettings settings, RippleRuntime runtime, ReportWriter reports) : IAsyncDisposable
{
    private const string LimitsKey = "limits.json";

    private RippleClient? _client;

    /// <summary>Connects, and watches until cancelled.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        string connection = await File.ReadAllTextAsync(settings.Connection, cancellationToken);
        _client = await RippleClient.ConnectAsync(
            connection.Trim(),
            new RippleClientOptions
            {
                Name = NodeProcessSettings.NameOf(number),
                Zone = settings.Zone,
                Runtime = runtime,
                ConnectTimeout = Cluster.ConnectLimit,
                SnapshotMode = SnapshotMode.On,
                SnapshotDirectory = Path.Combine(settings.State, NodeProcessSettings.NameOf(number)),
                AcceptRelease = number == settings.Critic ? JudgeAsync : null,
            },
            cancellationToken);
        await ReportAsync(
            new NodeReport { Kind = NodeReport.Joined, Text = _client.NodeId.ToString(), Release = _client.Current().Release },
            cancellationToken);
        await foreach (RippleRelease release in _client.WatchAsync(cancellationToken: cancellationToken))
        {
            long now = ReportWriter.Now;
            await ReportAsync(
                new NodeReport
                {
                    Kind = NodeReport.Applied,
                    Release = release.Release,
                    Hash = ValuesHash.Of(release.Values),
                    Timestamp = now,
                }, cancellationToken);
        }
    }

    /// <summary>Reports what is in effect now.</summary>
    public async Task ReportCurrentAsync(CancellationToken cancellationToken)
    {
        if (_client is { } client)
        {
            RippleRelease current = client.Current();
            await ReportAsync(
                new NodeReport { Kind = NodeReport.Current, Release = current.Release, Hash = ValuesHash.Of(current.Values) },
                cancellationToken);
        }
    }

    public ValueTask DisposeAsync() => _client?.DisposeAsync() ?? default;

    private async ValueTask<ReleaseDecision> JudgeAsync(RippleRelease release, CancellationToken cancellationToken)
    {
        if (release.Values.TryGetValue(LimitsKey, out ReadOnlyMemory<byte> value))
        {
            using var limits = JsonDocument.Parse(value);
            if (limits.RootElement.TryGetProperty("maxConnections", out JsonElement max) && max.GetInt32() < 0)
            {
                string reason = $"{LimitsKey}: maxConnections is {max.GetInt32()}; it must be 0 or more";
                await ReportAsync(
                    new NodeReport { Kind = NodeReport.Rejected, Release = release.Release, Text = reason }, cancellationToken);
                return ReleaseDecision.Reject(reason);
            }
        }

        return ReleaseDecision.Accept;
    }

    private ValueTask ReportAsync(NodeReport report, CancellationToken cancellationToken) =>
        reports.WriteAsync(
            report with { Node = number, Timestamp = report.Timestamp == 0 ? ReportWriter.Now : report.Timestamp }, cancellationToken);
}
