using System.Net;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

/// <summary>A real host on loopback, and clients of its control endpoint.</summary>
internal sealed class HostHarness : IAsyncDisposable
{
    private readonly List<TlsLinkConnector> _connectors = [];

    private HostHarness(GmsServer server, LineLogs logs)
    {
        Server = server;
        Logs = logs;
    }

    public static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public GmsServer Server { get; }

    public LineLogs Logs { get; }

    public SteppedCore Core { get; } = new();

    public ConnectionString Client => ConnectionString.ReadFile(Server.Directory.ClientConnection);

    public ConnectionString Admin => ConnectionString.ReadFile(Server.Directory.AdminConnection);

    public static GmsServerOptions Options(string directory) => new()
    {
        DataDirectory = directory,
        ListenAddress = new(IPAddress.Loopback, 0),
        HealthAddress = new(IPAddress.Loopback, 0),
        Name = "host-1",
    };

    public static async Task<HostHarness> StartAsync(string directory, Func<GmsServerOptions, GmsServerOptions>? change = null)
    {
        GmsServerOptions options = Options(directory);
        return await StartAsync(change?.Invoke(options) ?? options, new LineLogs());
    }

    /// <summary>Starts a host that may wait before it leads: what it logs meanwhile is in the lines.</summary>
    public static async Task<HostHarness> StartAsync(GmsServerOptions options, LineLogs logs) =>
        new(await GmsServer.StartAsync(options, logs, Cancel), logs);

    /// <summary>
    /// Connects as a node would, enrolling first; the handler of the link, or what failed. The host's core has the link then.
    /// </summary>
    public async Task<ConnectOutcome> ConnectAsync(
        ConnectionString connection, Func<LinkConnectorOptions, LinkConnectorOptions>? change = null)
    {
        LinkConnectorOptions options = LinkConnectorOptions.From(connection) with
        {
            Name = "web-1",
            ConnectTimeout = ControlHarness.Patience,
        };
        var connector = new TlsLinkConnector(Core.Requests, change?.Invoke(options) ?? options);
        _connectors.Add(connector);
        long admittedBefore = Server.LinkEndpointCounters.Admitted;
        var outcome = new ConnectOutcome(link => new TestHandler(link));
        await Core.CallAsync(() => connector.Connect(Server.Endpoint.ToString(), outcome));
        await outcome.Done.Task.WaitAsync(ControlHarness.Patience, Cancel);
        if (outcome.Handler is not null)
        {
            // The node is told first. What is counted here was posted before what a test posts next.
            await ControlHarness.UntilAsync(
                () => Server.LinkEndpointCounters.Admitted > admittedBefore, "the host's core is given the link");
        }

        return outcome;
    }

    /// <summary>Works on the store beside the running host, as the program's commands do.</summary>
    public async Task<T> BesideAsync<T>(Func<SqliteHostStore, Task<T>> work)
    {
        using var store = new SqliteHostStore(Server.Directory.Store, new HostStoreOptions { IsHost = false });
        return await work(store);
    }

    public Task<ConnectionString> NewTokenAsync(AccessRole role, string[] applications, long? expiresUnixMicros = null) =>
        BesideAsync(async store =>
        {
            AccessTokenSecret secret = AccessTokenSecret.New();
            long nowMicros = SystemWallClock.Instance.UnixMicros;
            var token = new AccessToken(
                secret.Id, secret.Hash, AccessTokenGrant.For([.. applications], role), nowMicros, expiresUnixMicros, null);
            await store.CommitAsync(new CommitBatch { Tokens = [AccessTokenChange.Create(token, "test")] });
            return ConnectionFile.Make(Client.Endpoints, Client.Authority, secret, null);
        });

    public Task RevokeAsync(ConnectionString connection) => BesideAsync(async store =>
    {
        await store.CommitAsync(
            new CommitBatch { Tokens = [AccessTokenChange.Revoke(connection.Token!.Id, SystemWallClock.Instance.UnixMicros, "test")] });
        return 0;
    });

    public async ValueTask DisposeAsync()
    {
        foreach (TlsLinkConnector connector in _connectors)
        {
            await connector.DisposeAsync();
        }

        await Server.DisposeAsync();
        Core.Dispose();
    }
}
