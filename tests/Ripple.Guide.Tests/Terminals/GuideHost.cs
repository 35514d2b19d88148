using System.Net;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Client;
using Ripple.Gms.Server;
using PublishRequest = Ripple.Admin.Contracts.PublishRequest;

namespace Ripple.Guide.Tests.Terminals;

/// <summary>The host that a page takes for granted, on loopback, with its nodes.</summary>
internal sealed class GuideHost : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private readonly GmsServer _server;
    private readonly List<RippleClient> _nodes = [];

    private GuideHost(GmsServer server, string data)
    {
        _server = server;
        Data = data;
        Admin = RippleAdminClient.Connect(File.ReadAllText(AdminConnection));
    }

    public RippleAdminClient Admin { get; }

    /// <summary>Its data directory.</summary>
    public string Data { get; }

    /// <summary>The file that an administrator connects with.</summary>
    public string AdminConnection => _server.Directory.AdminConnection;

    /// <summary>The nodes that joined and did not leave.</summary>
    public IReadOnlyList<RippleClient> Nodes => _nodes;

    public static async Task<GuideHost> StartAsync(string data, string application) => new(
        await GmsServer.StartAsync(
            new GmsServerOptions
            {
                DataDirectory = data,
                Application = application,
                ListenAddress = new IPEndPoint(IPAddress.Loopback, 0),
                HealthAddress = null,
            },
            NullLoggerFactory.Instance,
            TestContext.Current.CancellationToken),
        data);

    /// <summary>Publishes until the newest release has that number: these keys first, then a count.</summary>
    public async Task PublishAsync(string application, ulong until, params (string Key, string Text)[] keys)
    {
        ulong newest = (await Admin.GetApplicationAsync(application, Cancel)).Release;
        while (newest < until)
        {
            KeyValue[] set =
                [.. keys.Select(k => new KeyValue { Key = k.Key, Text = k.Text }), new() { Key = "count", Text = $"{newest}" }];
            newest = (await Admin.PublishAsync(application, new PublishRequest { Set = set }, cancellationToken: Cancel)).Release;
            keys = [];
        }
    }

    /// <summary>Joins as a node of an application.</summary>
    public async Task JoinAsync(string application, string name, string zone) => _nodes.Add(await RippleClient.ConnectAsync(
        await File.ReadAllTextAsync(AdminConnection, Cancel),
        new RippleClientOptions
        {
            Application = application,
            Name = name,
            Zone = zone,
            SnapshotMode = SnapshotMode.Off,
            ConnectTimeout = Patience,
        },
        Cancel));

    /// <summary>All nodes leave.</summary>
    public async Task LeaveAsync()
    {
        foreach (RippleClient node in _nodes)
        {
            await node.DisposeAsync();
        }

        _nodes.Clear();
    }

    public async ValueTask DisposeAsync()
    {
        await LeaveAsync();
        Admin.Dispose();
        await _server.DisposeAsync();
    }

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;
}
