using System.Net;
using Ripple.Client;
using Ripple.Gms.Server;

namespace Quickstart.Hosting;

/// <summary>A host in this process, on loopback and in a temporary directory, and the client that publishes to it.</summary>
internal sealed class Cluster : IAsyncDisposable
{
    public const string Application = "shop";

    /// <summary>
    /// How long the publisher and each node may take to get in: far longer than it takes a machine with nothing else to do, for all nodes
    /// come at once.
    /// </summary>
    public static readonly TimeSpan ConnectLimit = TimeSpan.FromSeconds(60);

    private readonly bool _keepsFiles;

    private Cluster(string root, bool keepsFiles)
    {
        Root = root;
        _keepsFiles = keepsFiles;
    }

    /// <summary>Everything is kept below it.</summary>
    public string Root { get; }

    public string StateDirectory => Path.Combine(Root, "nodes");

    public string ClientConnection => Server.Directory.ClientConnection;

    public string AdminConnection => Server.Directory.AdminConnection;

    public GmsServer Server { get; private set; } = null!;

    public RippleClient Publisher { get; private set; } = null!;

    public static async Task<Cluster> StartAsync(HostWarnings warnings, bool keepsFiles, CancellationToken cancellationToken)
    {
        var cluster = new Cluster(Directory.CreateTempSubdirectory("ripple-quickstart-").FullName, keepsFiles);
        try
        {
            cluster.Server = await GmsServer.StartAsync(
                new GmsServerOptions
                {
                    DataDirectory = Path.Combine(cluster.Root, "host"),
                    ListenAddress = new IPEndPoint(IPAddress.Loopback, 0),
                    HealthAddress = null,
                    Application = Application,
                },
                warnings,
                cancellationToken);
            string connection = await File.ReadAllTextAsync(cluster.AdminConnection, cancellationToken);
            cluster.Publisher = await RippleClient.ConnectAsync(
                connection.Trim(),
                new RippleClientOptions
                {
                    Application = Application,
                    Name = "publisher",
                    Zone = Fleet.Zones[0],
                    ConnectTimeout = ConnectLimit,
                    SnapshotDirectory = Path.Combine(cluster.Root, "publisher"),
                },
                cancellationToken);
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (Publisher is not null)
        {
            await Publisher.DisposeAsync();
        }

        if (Server is not null)
        {
            await Server.DisposeAsync();
        }

        if (!_keepsFiles)
        {
            RemoveFiles();
        }
    }

    private void RemoveFiles()
    {
        try
        {
            Directory.Delete(Root, recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Console.WriteLine($"{Root} could not be removed ({e.Message}). It holds keys of the cluster that just ended: remove it.");
        }
    }
}
