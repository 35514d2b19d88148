using System.Data;
using System.Globalization;
using Npgsql;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// One connection to a database, checked to be one that keeps its promises. Used by one thread at a time. What fails throws
/// <see cref="NpgsqlException"/>, and where <see cref="IsOpen"/> is false then, the connection is gone.
/// </summary>
internal sealed class PostgresSession : IDisposable
{
    private readonly NpgsqlConnection _connection;
    private readonly int _commandTimeoutS;
    private bool _hasLock;
    private bool _isBroken;

    private PostgresSession(PostgresAddress address, NpgsqlConnection connection, int commandTimeoutS)
    {
        Address = address;
        _connection = connection;
        _commandTimeoutS = commandTimeoutS;
        // A COMMIT that did not wait for its standby to the end says so in a warning, and succeeds.
        connection.Notice += (_, e) => IsWarned |= e.Notice.InvariantSeverity is "WARNING";
    }

    public PostgresAddress Address { get; }

    /// <summary>The server that answers: its identifier, and the number of its line of history.</summary>
    public PostgresServer Server { get; private set; }

    /// <summary>The session's number at the server, and when it began there.</summary>
    public (int Process, DateTime Begun) Backend { get; private set; }

    /// <summary>True after a warning of the server.</summary>
    public bool IsWarned { get; private set; }

    /// <summary>False once the connection is gone.</summary>
    public bool IsOpen => !_isBroken && _connection.State == ConnectionState.Open;

    /// <summary>Connects.</summary>
    /// <exception cref="NpgsqlException">The database cannot be reached.</exception>
    /// <exception cref="StoreException">It does not keep what it says it has committed, or takes nothing.</exception>
    public static PostgresSession Open(
        PostgresAddress address, string name, int lockTimeoutMs, bool isReadOnly, int? commandTimeoutS = null)
    {
        // A commit is bounded in time; a walk through a long history may take its while.
        const int CommitTimeoutS = 20;
        const int ReadTimeoutS = 120;
        var connection = new NpgsqlConnection(address.For(name, lockTimeoutMs, isReadOnly));
        var session = new PostgresSession(address, connection, commandTimeoutS ?? (isReadOnly ? ReadTimeoutS : CommitTimeoutS));
        try
        {
            connection.Open();
            session.Check(isReadOnly);
            return session;
        }
        catch
        {
            session.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Connects at a start: a database that is busy or still starting itself is asked again for a while, so that a machine that starts both
    /// at once, or has too much to do, gets its host. One that refuses is not.
    /// </summary>
    /// <typeparam name="T">What is opened over the connection.</typeparam>
    public static T OpenPatiently<T>(Func<T> open, int patienceMs)
    {
        const int PauseMs = 20;
        long untilMs = Environment.TickCount64 + patienceMs;
        while (true)
        {
            try
            {
                return open();
            }
            catch (NpgsqlException e) when (MayAnswerLater(e) && Environment.TickCount64 < untilMs)
            {
                Thread.Sleep(PauseMs);
            }
        }
    }

    /// <summary>Whether an exception is one of the connection or the server, whatever the library makes of it.</summary>
    public static bool IsDatabase(Exception e) =>
        e is NpgsqlException or IOException or TimeoutException or InvalidOperationException or ArgumentException or InvalidCastException
            or NullReferenceException or System.Net.Sockets.SocketException;

    /// <summary>Takes the lock of the one host that has the store open; false if another session has it.</summary>
    public bool TryLock()
    {
        _hasLock = Scalar("SELECT pg_try_advisory_lock($1)", Parameter.Number(PostgresSchema.HostLock)) is true;
        return _hasLock;
    }

    /// <summary>
    /// Ends the session that has the host's lock: for who has the lease, and so need not wait for a leader that no longer answers. No
    /// effect where that is not allowed.
    /// </summary>
    public void EndLockHolder() => EndAll(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid() "
            + "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
            + "AND ((classid::bigint << 32) | objid::bigint) = $1",
        Parameter.Number(PostgresSchema.HostLock));

    /// <summary>Ends a session that this process had before, if the server still has it. No effect where that is not allowed.</summary>
    public void End((int Process, DateTime Begun) backend) => EndAll(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2 AND pid <> pg_backend_pid()",
        Parameter.Int(backend.Process),
        new NpgsqlParameter { Value = backend.Begun });

    private static bool MayAnswerLater(NpgsqlException e) => e is PostgresException p
        ? p.SqlState is PostgresErrorCodes.CannotConnectNow or PostgresErrorCodes.TooManyConnections
        : e.InnerException is TimeoutException;

    private void EndAll(string sql, params ReadOnlySpan<NpgsqlParameter> parameters)
    {
        try
        {
            Run(sql, parameters);
        }
        catch (PostgresException e) when (e.SqlState == PostgresErrorCodes.InsufficientPrivilege)
        {
            // It goes by itself when the server misses its client.
        }
    }

    /// <summary>Runs one statement.</summary>
    public void Run(string sql, params ReadOnlySpan<NpgsqlParameter> parameters) => Run([Parameter.Command(sql, parameters)]);

    /// <summary>Runs statements in one round trip; after one that fails none is run.</summary>
    public void Run(IEnumerable<NpgsqlBatchCommand> commands) => Read(commands, []);

    /// <summary>Runs statements in one round trip, and gives what they answer to the readers: one for each that answers rows.</summary>
    public void Read(IEnumerable<NpgsqlBatchCommand> commands, IReadOnlyList<Action<NpgsqlDataReader>> readers)
    {
        using var batch = new NpgsqlBatch(_connection) { Timeout = _commandTimeoutS };
        foreach (NpgsqlBatchCommand command in commands)
        {
            batch.BatchCommands.Add(command);
        }

        IsWarned = false;
        try
        {
            using NpgsqlDataReader reader = batch.ExecuteReader();
            int index = 0;
            do
            {
                if (reader.FieldCount > 0 && index < readers.Count)
                {
                    readers[index++](reader);
                }
            }
            while (reader.NextResult());
        }
        catch (NullReferenceException e)
        {
            // The library trips over a connection that breaks while it still sends.
            _isBroken = true;
            throw new NpgsqlException("The connection broke.", e);
        }
    }

    /// <summary>Runs one statement, and gives each of its rows to the reader.</summary>
    public void Rows(string sql, NpgsqlParameter[] parameters, Action<NpgsqlDataReader> row) =>
        Read([Parameter.Command(sql, parameters)], [reader =>
        {
            while (reader.Read())
            {
                row(reader);
            }
        }]);

    /// <summary>The first column of the first row; null if there is none.</summary>
    public object? Scalar(string sql, params NpgsqlParameter[] parameters)
    {
        object? value = null;
        Rows(sql, parameters, row => value ??= row.IsDBNull(0) ? null : row.GetValue(0));
        return value;
    }

    /// <summary>Copies rows into a table, inside an open transaction.</summary>
    public void Import(string sql, Action<NpgsqlBinaryImporter> write)
    {
        using NpgsqlBinaryImporter rows = _connection.BeginBinaryImport(sql);
        rows.Timeout = TimeSpan.FromMinutes(1);
        write(rows);
        rows.Complete();
    }

    /// <summary>Ends a transaction that failed; false if the connection is gone with it.</summary>
    public bool TryRollBack()
    {
        try
        {
            if (IsOpen)
            {
                Run("ROLLBACK");
            }
        }
        catch (NpgsqlException)
        {
            // It ends with its connection.
            _isBroken = true;
        }

        return IsOpen;
    }

    /// <summary>Gives the lock back, so that who waits for it need not wait for the server to miss this session, and disconnects.</summary>
    public void Dispose()
    {
        try
        {
            if (_hasLock && IsOpen)
            {
                Run("SELECT pg_advisory_unlock($1)", Parameter.Number(PostgresSchema.HostLock));
            }
        }
        catch (NpgsqlException)
        {
            // It goes with the session.
        }

        try
        {
            _connection.Dispose();
        }
        catch (Exception e) when (e is NpgsqlException or IOException or InvalidOperationException or NullReferenceException)
        {
            // It is broken: there is nothing to say goodbye to.
        }
    }

    /// <summary>Looks what was connected with.</summary>
    private void Check(bool isReadOnly)
    {
        bool isCopying = PostgresPromises.Check(this, isReadOnly);
        Rows(
            "SELECT pg_backend_pid(), (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())",
            [],
            row => Backend = (row.GetInt32(0), row.IsDBNull(1) ? default : row.GetDateTime(1)));
        Server = isCopying ? default : ReadServer();
    }

    /// <summary>The server's identity, or none where the database does not tell it.</summary>
    private PostgresServer ReadServer()
    {
        try
        {
            PostgresServer server = default;
            Rows(
                "SELECT system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) FROM pg_control_system()",
                [],
                row => server = new PostgresServer(
                    row.GetInt64(0), uint.Parse(row.GetString(1), NumberStyles.HexNumber, CultureInfo.InvariantCulture)));
            return server;
        }
        catch (PostgresException e) when (e.SqlState is [('4' or '0'), ..])
        {
            // Not allowed to this user, or another database that speaks the protocol.
            return default;
        }
    }
}
