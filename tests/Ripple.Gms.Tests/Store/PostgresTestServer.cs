using System.Diagnostics;
using Npgsql;
using Ripple.Gms.Store.Postgres;
using Ripple.Gms.Tests.Store;
using Ripple.Tests.Shared.Postgres;

[assembly: AssemblyFixture(typeof(PostgresTestServer))]

namespace Ripple.Gms.Tests.Store;

/// <summary>
/// A PostgreSQL server of the tests' own, which is started when the first test asks for it. Without the package of a distribution tests are
/// skipped, and say so.
/// </summary>
public sealed class PostgresTestServer : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Lazy<LocalPostgres> _server;
    private string? _missing;

    public PostgresTestServer() => _server = new(() => new LocalPostgres(isInMemory: true) { Settings = Settings });

    /// <summary>Switches of the server, besides those that it needs. Default none.</summary>
    internal string[] Settings { get; init; } = [];

    /// <inheritdoc cref="LocalPostgres.SocketPath"/>
    public string SocketPath => _server.Value.SocketPath;

    /// <summary>Starts it, or skips the test and says why. Others wait meanwhile.</summary>
    public void StartOrSkip()
    {
        lock (_gate)
        {
            if (!_server.Value.IsRunning && _missing is null)
            {
                _missing = _server.Value.TryStart();
            }
        }

        if (_missing is not null)
        {
            Assert.Skip(_missing);
        }
    }

    /// <inheritdoc cref="LocalPostgres.MakeDatabase"/>
    public string MakeDatabase() => _server.Value.MakeDatabase();

    /// <inheritdoc cref="LocalPostgres.Copy"/>
    public string Copy(string database) => _server.Value.Copy(database);

    /// <inheritdoc cref="LocalPostgres.Replace"/>
    public void Replace(string database, string copy) => _server.Value.Replace(database, copy);

    /// <inheritdoc cref="LocalPostgres.ConnectionString"/>
    public string ConnectionString(string database) => _server.Value.ConnectionString(database);

    internal PostgresAddress Address(string database) => PostgresAddress.Parse(ConnectionString(database), "a test");

    /// <inheritdoc cref="LocalPostgres.Connect"/>
    public NpgsqlConnection Connect(string database) => _server.Value.Connect(database);

    /// <inheritdoc cref="LocalPostgres.Run"/>
    public void Run(string database, string sql) => _server.Value.Run(database, sql);

    /// <inheritdoc cref="LocalPostgres.Ask"/>
    public object? Ask(string database, string sql) => _server.Value.Ask(database, sql);

    /// <inheritdoc cref="LocalPostgres.Begin"/>
    public bool Begin() => _server.Value.Begin();

    /// <inheritdoc cref="LocalPostgres.Kill"/>
    public void Kill() => _server.Value.Kill();

    public void Dispose()
    {
        if (_server.IsValueCreated)
        {
            _server.Value.Dispose();
        }
    }

    internal static (int Code, string Output) Start(string program, string[] arguments) =>
        LocalPostgres.Start(new ProcessStartInfo(program, arguments));
}
