using Ripple.Gms.Server;
using Ripple.Gms.Tests.Store;
using Ripple.Tests.Shared.Postgres;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

/// <summary>The directories of two hosts on one database of their own, and how they are started.</summary>
internal sealed class HostPair : IDisposable
{
    private readonly TempDirectory _secrets = new();

    /// <summary>Starts the server, or skips the test.</summary>
    public HostPair(PostgresTestServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        server.StartOrSkip();
        Directory.CreateDirectory(_secrets.Path);
        Database = server.MakeDatabase();
        StoreFile = WriteStoreFile("store", server.ConnectionString(Database));
    }

    /// <summary>The name of their database.</summary>
    public string Database { get; }

    public TempDirectory One { get; } = new();

    public TempDirectory Two { get; } = new();

    /// <summary>The file that names the database.</summary>
    public string StoreFile { get; }

    /// <summary>Writes another file that names a database; its path.</summary>
    public string WriteStoreFile(string name, string connection)
    {
        string path = Path.Combine(_secrets.Path, name + ".connection");
        OwnerOnly.Write(path, connection);
        return path;
    }

    public GmsServerOptions Options(TempDirectory directory, string name, int port = 0) => HostHarness.Options(directory.Path) with
    {
        StoreFile = StoreFile,
        Name = name,
        ListenAddress = new(System.Net.IPAddress.Loopback, port),
    };

    public string[] Arguments(TempDirectory directory, string name, string? storeFile = null, int port = 0) =>
    [
        "--data", directory.Path, "--store-file", storeFile ?? StoreFile, "--listen", $"127.0.0.1:{port}", "--health", "off",
        "--name", name,
    ];

    public Task<HostHarness> StartAsync(TempDirectory directory, string name, int port = 0) => Begin(directory, name, port).Starting;

    public (Task<HostHarness> Starting, LineLogs Logs) Begin(TempDirectory directory, string name, int port = 0)
    {
        var logs = new LineLogs();
        return (HostHarness.StartAsync(Options(directory, name, port), logs), logs);
    }

    /// <summary>What an operator does for a further host.</summary>
    public void GiveKey() => OwnerOnly.Copy(new GmsDirectory(One.Path).ClusterKey, new GmsDirectory(Two.Path).ClusterKey);

    public static ConnectionString AdminOf(TempDirectory directory) =>
        ConnectionString.ReadFile(new GmsDirectory(directory.Path).AdminConnection);

    public static ConnectionString ClientOf(TempDirectory directory) =>
        ConnectionString.ReadFile(new GmsDirectory(directory.Path).ClientConnection);

    public void Dispose()
    {
        One.Dispose();
        Two.Dispose();
        _secrets.Dispose();
    }
}
