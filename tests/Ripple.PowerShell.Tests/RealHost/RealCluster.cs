using System.Net;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Client;
using Ripple.Gms.Server;

namespace Ripple.PowerShell.Tests.RealHost;

/// <summary>A real host in this process with two nodes of the application <c>shop</c>. The second rejects what says <c>"bad"</c>.</summary>
internal sealed class RealCluster : IAsyncDisposable
{
    private readonly string _data = Directory.CreateTempSubdirectory("ripple-ps-host-").FullName;
    private readonly List<RippleClient> _nodes = [];
    private GmsServer? _server;

    public const string Application = "shop";

    /// <summary>The file an administrator connects with.</summary>
    public string AdminConnection => _server!.Directory.AdminConnection;

    public static async Task<RealCluster> StartAsync(CancellationToken cancellationToken)
    {
        var cluster = new RealCluster();
        try
        {
            cluster._server = await GmsServer.StartAsync(
                new GmsServerOptions
                {
                    DataDirectory = cluster._data,
                    Application = Application,
                    ListenAddress = new IPEndPoint(IPAddress.Loopback, 0),
                    HealthAddress = null,
                },
                NullLoggerFactory.Instance,
                cancellationToken);
            string connection = await File.ReadAllTextAsync(cluster._server.Directory.ClientConnection, cancellationToken);
            foreach (string name in new[] { "web-1", "web-2" })
            {
                var options = new RippleClientOptions
                {
                    Name = name,
                    ConnectTimeout = TimeSpan.FromMinutes(2),
                    AcceptRelease = (release, _) => ValueTask.FromResult(Judge(name, release)),
                };
                cluster._nodes.Add(await RippleClient.ConnectAsync(connection, options, cancellationToken));
            }

            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>What a node has in effect; null when there is no such key.</summary>
    public string? Text(int node, string key) =>
        _nodes[node].TryGet(key, out ReadOnlyMemory<byte> value) ? Encoding.UTF8.GetString(value.Span) : null;

    public async ValueTask DisposeAsync()
    {
        foreach (RippleClient node in _nodes)
        {
            await node.DisposeAsync();
        }

        if (_server is not null)
        {
            await _server.DisposeAsync();
        }

        Directory.Delete(_data, recursive: true);
    }

    private static ReleaseDecision Judge(string name, RippleRelease release) =>
        name == "web-2" && release.Values.Values.Any(v => Encoding.UTF8.GetString(v.Span).Contains("\"bad\"", StringComparison.Ordinal))
            ? ReleaseDecision.Reject("it says bad")
            : ReleaseDecision.Accept;
}
