using System.Net;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Admin;
using Ripple.Client;
using Ripple.Gms.Server;

namespace Ripple.Cli.Tests.Hosting;

/// <summary>A real host on loopback for the tests of a class, each with applications of its own.</summary>
public sealed class CliHost : IAsyncLifetime
{
    /// <summary>Ends what hangs, and is never reached by what is merely slow.</summary>
    internal static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private readonly TestFolder _folder = new();
    private GmsServer? _server;
    private int _applications;

    internal GmsServer Server => _server!;

    internal string AdminConnection => Server.Directory.AdminConnection;

    public async ValueTask InitializeAsync() => _server = await GmsServer.StartAsync(
        new GmsServerOptions
        {
            DataDirectory = _folder.PathOf("host"),
            ListenAddress = new(IPAddress.Loopback, 0),
            HealthAddress = null,
            Name = "host-1",
        },
        NullLoggerFactory.Instance,
        CancellationToken.None);

    public async ValueTask DisposeAsync()
    {
        await Server.DisposeAsync();
        _folder.Dispose();
    }

    /// <summary>The command line of an administrator; its home is the folder.</summary>
    internal CommandLine CommandLine(TestFolder home) => new(home.Path) { ["RIPPLE_CONNECTION_FILE"] = AdminConnection };

    /// <summary>Makes an application with a name that no other test uses.</summary>
    internal async Task<string> NewApplicationAsync()
    {
        string name = $"app-{Interlocked.Increment(ref _applications)}";
        using RippleAdminClient client = RippleAdminClient.Connect(await File.ReadAllTextAsync(AdminConnection));
        await client.CreateApplicationAsync(name);
        return name;
    }

    /// <summary>Joins as a node of an application.</summary>
    /// <param name="application">The application.</param>
    /// <param name="name">The node's name.</param>
    /// <param name="rejection">Why it rejects every release from now on; null or an answer of null: it accepts.</param>
    /// <param name="zone">Its zone.</param>
    internal async Task<RippleClient> JoinAsync(
        string application, string name, Func<RippleRelease, string?>? rejection = null, string zone = "eu-1") =>
        await RippleClient.ConnectAsync(
            (await File.ReadAllTextAsync(AdminConnection)).Trim(),
            new RippleClientOptions
            {
                Application = application,
                Name = name,
                Zone = zone,
                SnapshotMode = SnapshotMode.Off,
                ConnectTimeout = Patience,
                // Longer than a test that keeps a node from answering keeps it.
                AcceptTimeout = Patience * 2,
                AcceptRelease = (release, _) => ValueTask.FromResult(
                    rejection?.Invoke(release) is { } reason ? ReleaseDecision.Reject(reason) : ReleaseDecision.Accept),
            });
}
