using System.Net;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Gms.Server;
using Ripple.Trust;

namespace Ripple.Admin.Tests;

/// <summary>A real host on loopback with the application <c>shop</c>, for the tests of a class.</summary>
public sealed class RealHost : IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("ripple-admin-").FullName;
    private GmsServer? _server;

    internal string ConnectionText { get; private set; } = string.Empty;

    internal int Port => _server!.Endpoint.Port;

    public async ValueTask InitializeAsync()
    {
        _server = await GmsServer.StartAsync(
            new GmsServerOptions
            {
                DataDirectory = Path.Combine(_folder, "host"),
                ListenAddress = new(IPAddress.Loopback, 0),
                HealthAddress = null,
                Application = "shop",
            },
            NullLoggerFactory.Instance,
            CancellationToken.None);
        ConnectionText = (await File.ReadAllTextAsync(_server.Directory.AdminConnection)).Trim();

        // So that no test with a short limit pays for the first handshake.
        using RippleAdminClient client = RippleAdminClient.Connect(
            ConnectionText, new RippleAdminOptions { ConnectTimeout = TimeSpan.FromMinutes(2) });
        await client.GetClusterAsync();
    }

    public async ValueTask DisposeAsync()
    {
        if (_server is not null)
        {
            await _server.DisposeAsync();
        }

        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>A connection string to these ports of loopback, in this order.</summary>
    /// <param name="authority">Whom to trust; null for the host's own.</param>
    /// <param name="ports">Where.</param>
    internal ConnectionString Connection(string? authority, params IEnumerable<int> ports)
    {
        IEnumerable<string> parts = ConnectionText.Split(';').Select(part => part.Split('=', 2) switch
        {
            ["Endpoints", _] => $"Endpoints={string.Join(',', ports.Select(p => $"127.0.0.1:{p}"))}",
            ["Authority", string own] => $"Authority={authority ?? own}",
            _ => part,
        });
        return ConnectionString.Parse(string.Join(';', parts));
    }
}
