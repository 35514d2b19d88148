using System.Globalization;
using Npgsql;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;
using Ripple.Simulator.Disks;

namespace Ripple.Gms.Tests.Store;

/// <summary>
/// The contract on a server of PostgreSQL. What the contract does to a file is done here to a database: a copy of it is a database made of
/// another, its mark lies in the host's directory, a full disk is that of its tablespace. A disk that fails without a word is a session
/// that ends in a commit, and that nobody gets anew, for another one has taken the host's lock.
/// </summary>
public sealed partial class PostgresHostStoreTests : HostStoreContract, IDisposable
{
    private readonly string _directory = Path.Combine(Path.GetTempPath(), "ripple-pgmark-" + Guid.NewGuid().ToString("N"));
    private readonly PostgresTestServer _server;
    private readonly string _database;
    private NpgsqlConnection? _lockHolder;
    private SmallDisk? _disk;

    public PostgresHostStoreTests(PostgresTestServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        _server = server;
        server.StartOrSkip();
        _database = server.MakeDatabase();
    }

    private string MarkPath => Path.Combine(_directory, "database");

    public void Dispose()
    {
        _lockHolder?.Dispose();
        _server.Run("postgres", $"DROP DATABASE {_database} WITH (FORCE)");
        if (_disk is not null)
        {
            _server.Run("postgres", $"DROP TABLESPACE small_{_database}");
            _disk.Dispose();
        }

        if (Directory.Exists(_directory))
        {
            Directory.Delete(_directory, recursive: true);
        }
    }

    private protected override IHostStore Open(HostStoreOptions? options = null)
    {
        MendDisk();
        return new PostgresHostStore(_server.Address(_database), MarkPath, options ?? new() { BusyTimeoutMs = 1_000 });
    }

    protected override T Ask<T>(Func<Action<T>, bool> ask)
    {
        var answer = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        Assert.True(ask(answer.SetResult));
        Assert.True(answer.Task.Wait(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken), "the store did not answer");
        return answer.Task.Result;
    }

    protected override void WriteFormat(int version) => Sql(
        string.Create(CultureInfo.InvariantCulture, $"UPDATE settings SET number = {version} WHERE name = 'format_version'"));

    /// <summary>
    /// The session ends inside the next COMMIT, and another one waits for the host's lock: nobody learns what was written.
    /// </summary>
    protected override void BreakDisk()
    {
        Sql(
            """
            CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
                'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER stop AFTER UPDATE ON commit_position DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION stop()
            """);
        _lockHolder = _server.Connect(_database);
        using var take = new NpgsqlCommand($"SELECT pg_advisory_lock({PostgresSchema.HostLock})", _lockHolder);
        _ = take.ExecuteScalarAsync();
        Assert.True(SpinWait.SpinUntil(
            () => _server.Ask(_database, "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted") is not null,
            TimeSpan.FromSeconds(60)));
    }

    private void MendDisk()
    {
        if (_lockHolder is not null)
        {
            Sql("DROP FUNCTION stop CASCADE");
            _lockHolder.Dispose();
            _lockHolder = null;
        }
    }

    protected override void NeedDiskThatFills()
    {
        string mount = Path.Combine(_directory, "small");
        _disk = SmallDisk.MountOrSkip(mount, 24 * 1_024 * 1_024);
        Assert.Equal(0, PostgresTestServer.Start("chown", ["postgres", mount]).Code);
        _server.Run("postgres", $"CREATE TABLESPACE small_{_database} LOCATION '{mount}'");
        _server.Run("postgres", $"ALTER DATABASE {_database} SET TABLESPACE small_{_database}");
    }

    protected override void FillDisk() => _disk!.Fill();

    protected override void MakeRoom() => _disk!.MakeRoom();

    protected override void LetTimePass(Func<bool> until) => SpinWait.SpinUntil(until, TimeSpan.FromSeconds(60));

    private protected override object CopyAll()
    {
        string copy = Path.Combine(_directory, Guid.NewGuid().ToString("N"));
        Directory.CreateDirectory(copy);
        foreach (string suffix in (string[])[".mark", ".position"])
        {
            File.Copy(MarkPath + suffix, Path.Combine(copy, "mark" + suffix));
        }

        return (_server.Copy(_database), copy);
    }

    private protected override void PutBack(object copy, MarkFate mark)
    {
        (string database, string files) = ((string, string))copy;
        _server.Replace(_database, database);
        foreach (string suffix in (string[])[".mark", ".position"])
        {
            switch (mark)
            {
                case MarkFate.Lost:
                    File.Delete(MarkPath + suffix);
                    break;
                case MarkFate.Copied:
                    File.Copy(Path.Combine(files, "mark" + suffix), MarkPath + suffix, overwrite: true);
                    break;
                default:
                    break;
            }
        }
    }

    private void Sql(string sql) => _server.Run(_database, sql);

    private void EndSession(string name) => Assert.Equal(true, _server.Ask(
        _database,
        $"SELECT bool_and(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity "
            + $"WHERE datname = '{_database}' AND application_name = '{name}'"));
}
