using System.Net;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Client;
using Ripple.Gms.Server;
using Ripple.Gms.Store;

namespace Ripple.Extensions.Hosting.Tests.Hosting;

/// <summary>
/// A real host in the test's process, on fixed ports, that can be stopped and started again; and a client that publishes to it.
/// </summary>
internal sealed class TestCluster : IAsyncDisposable
{
    public const string Application = "shop";
    public const string PublisherName = "publisher";

    /// <summary>Ends what hangs, and is never reached by what is merely slow.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("ripple-hosting-").FullName;
    private readonly int _port = TestPorts.Tcp();
    private readonly int _dataPort = TestPorts.Udp();
    private readonly int _repairPort = TestPorts.Udp();
    private GmsServer? _server;
    private RippleClient? _publisher;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public string Connection { get; private set; } = string.Empty;

    /// <summary>The connection string of an administrator.</summary>
    public string AdminConnection { get; private set; } = string.Empty;

    public RippleClient Publisher => _publisher!;

    public static async Task<TestCluster> StartNewAsync()
    {
        var cluster = new TestCluster();
        await cluster.StartAsync();
        cluster.AdminConnection = (await File.ReadAllTextAsync(cluster._server!.Directory.AdminConnection, Token)).Trim();
        cluster._publisher = await RippleClient.ConnectAsync(
            cluster.AdminConnection,
            new RippleClientOptions
            {
                Application = Application,
                Name = "publisher",
                SnapshotMode = SnapshotMode.Off,
                ConnectTimeout = Patience,
                PublishTimeout = Patience,
            },
            Token);
        return cluster;
    }

    public async Task StartAsync()
    {
        // On a busy machine a stop gives up before the former host's store has ended, and the next host is refused until it has.
        for (long untilMs = Environment.TickCount64 + (long)Patience.TotalMilliseconds; _server is null;)
        {
            try
            {
                _server = await StartServerAsync();
            }
            catch (StoreException e) when (
                e.Message.Contains("in use by another host", StringComparison.Ordinal) && Environment.TickCount64 < untilMs)
            {
                await Task.Delay(100, Token);
            }
        }

        Connection = (await File.ReadAllTextAsync(_server.Directory.ClientConnection, Token)).Trim();
    }

    public async Task StopAsync()
    {
        await _server!.DisposeAsync();
        _server = null;
    }

    /// <summary>A directory of its own for a node's snapshots.</summary>
    public string SnapshotPath(string node) => Path.Combine(_folder, node);

    /// <summary>The newest row of a node.</summary>
    public async Task<MemberStatus> StatusOfAsync(string node) =>
        (await Publisher.StatusAsync(Application, Token)).Members.Where(m => m.Name == node).MaxBy(m => m.Incarnation)!;

    /// <summary>Waits until a node has a release on its disk.</summary>
    public Task WaitForPersistedAsync(string node, ulong release) =>
        Poll.UntilAsync(async () => (await StatusOfAsync(node)).Persisted >= release, $"{release} on the disk of {node}");

    /// <summary>Whether a text stands in the snapshots of a node.</summary>
    public bool IsOnDisk(string node, string text) =>
        Directory.Exists(SnapshotPath(node))
        && Directory.EnumerateFiles(SnapshotPath(node), "*.snapshot", SearchOption.AllDirectories)
            .Any(file => File.ReadAllBytes(file).AsSpan().IndexOf(Encoding.UTF8.GetBytes(text)) >= 0);

    /// <summary>Publishes keys with texts; a null text removes. Returns the release.</summary>
    public async Task<ulong> PublishAsync(params (string Key, string? Text)[] changes)
    {
        PublishResult result = await Publisher.PublishAsync(
            new PublishRequest
            {
                Set = changes.Where(c => c.Text is not null).ToDictionary(
                    c => c.Key, c => (ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(c.Text!)),
                Remove = [.. changes.Where(c => c.Text is null).Select(c => c.Key)],
            },
            Token);
        return result.Release;
    }

    /// <summary>Waits until every member says that the release is in effect, or cannot be.</summary>
    public Task<WaitResult> WaitAsync(ulong release) =>
        Publisher.WaitAsync(Application, release, "MIN($ALL.applied)", Patience, cancellationToken: Token);

    public async Task PublishEverywhereAsync(params (string Key, string? Text)[] changes)
    {
        WaitResult result = await WaitAsync(await PublishAsync(changes));
        Assert.True(result.Outcome == WaitOutcome.Held, string.Join("; ", result.Members.Select(m => $"{m.Name}: {m.Reason}")));
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

    private Task<GmsServer> StartServerAsync() => GmsServer.StartAsync(
        new GmsServerOptions
        {
            DataDirectory = Path.Combine(_folder, "host"),
            ListenAddress = new IPEndPoint(IPAddress.Loopback, _port),
            DataPort = _dataPort,
            RepairPort = _repairPort,
            HealthAddress = null,
            Application = Application,
        },
        NullLoggerFactory.Instance,
        Token);
}
