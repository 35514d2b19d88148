using System.Net;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Client;
using Ripple.Gms.Server;

namespace Ripple.Samples.Tests;

/// <summary>A host for the samples, on a fixed port, that can be stopped and started again; and a client that publishes to it.</summary>
internal sealed class SampleCluster : IAsyncDisposable
{
    private const string Application = "shop";

    /// <summary>Ends what hangs, and is never reached by what is merely slow.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("ripple-samples-").FullName;
    private readonly int _port = TestPorts.Tcp();
    private GmsServer? _server;
    private RippleClient? _publisher;

    /// <summary>What a sample is told of it.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; private set; } = new Dictionary<string, string>();

    public static async Task<SampleCluster> StartNewAsync(CancellationToken cancellationToken)
    {
        var cluster = new SampleCluster();
        await cluster.StartAsync(cancellationToken);
        string admin = await File.ReadAllTextAsync(cluster._server!.Directory.AdminConnection, cancellationToken);
        cluster._publisher = await RippleClient.ConnectAsync(
            admin.Trim(),
            new RippleClientOptions
            {
                Application = Application,
                Name = "publisher",
                SnapshotMode = SnapshotMode.Off,
                ConnectTimeout = Patience,
                PublishTimeout = Patience,
            },
            cancellationToken);
        return cluster;
    }

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        _server = await GmsServer.StartAsync(
            new GmsServerOptions
            {
                DataDirectory = Path.Combine(_folder, "host"),
                ListenAddress = new IPEndPoint(IPAddress.Loopback, _port),
                HealthAddress = null,
                Application = Application,
            },
            NullLoggerFactory.Instance,
            cancellationToken);
        Environment = new Dictionary<string, string>
        {
            ["ConnectionStrings__ripple"] = (await File.ReadAllTextAsync(_server.Directory.ClientConnection, cancellationToken)).Trim(),
            ["Ripple__ripple__StartupTimeout"] = Patience.ToString(),
            ["RIPPLE_STATE_DIRECTORY"] = Path.Combine(_folder, "state"),
            ["DOTNET_ENVIRONMENT"] = "Production",
        };
    }

    public async Task StopAsync()
    {
        await _server!.DisposeAsync();
        _server = null;
    }

    /// <summary>Publishes a key, and waits until it is in effect everywhere, or somebody rejected it.</summary>
    public async Task<WaitResult> PublishAsync(string key, string text, CancellationToken cancellationToken)
    {
        PublishResult published = await _publisher!.PublishAsync(
            new PublishRequest { Set = new Dictionary<string, ReadOnlyMemory<byte>> { [key] = Encoding.UTF8.GetBytes(text) } },
            cancellationToken);
        return await _publisher.WaitAsync(
            Application, published.Release, "MIN($ALL.applied)", Patience, cancellationToken: cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        if (_publisher is not null)
        {
            await _publisher.DisposeAsync();
        }

        if (_server is not null)
        {
            await _server.DisposeAsync();
        }

        Directory.Delete(_folder, recursive: true);
    }
}
