using System.Globalization;
using System.Net;
using Npgsql;
using Ripple.Trust;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// Where a database is, and how one connects to it. Made of a connection string that is told to nobody: messages name the host and the
/// database alone. Immutable.
/// </summary>
internal sealed class PostgresAddress
{
    /// <summary>The name of the session that commits, as the server lists it.</summary>
    public const string CommitsName = "ripple-commits";

    private const long FileBytesMax = 16_384;
    private const int ConnectTimeoutS = 10;
    private const int KeepAliveS = 5;

    // What a transaction may wait for its own client in the server: a process that was stopped inside of one must not hold its locks.
    private const int IdleInTransactionMs = 15_000;

    private readonly NpgsqlConnectionStringBuilder _settings;

    private PostgresAddress(NpgsqlConnectionStringBuilder settings) => _settings = settings;

    /// <summary>Reads the connection string in a file that only its owner may read.</summary>
    /// <exception cref="StoreException">The file or the connection string cannot be used; the message has nothing of what is in it.
    /// </exception>
    public static PostgresAddress ReadFile(string path)
    {
        const UnixFileMode Others = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute
            | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute;
        try
        {
            if (FileOwner.RefuseFile(path) is { } refusal)
            {
                throw new StoreException($"The store file '{path}' is not read: {refusal}");
            }

            if (!OperatingSystem.IsWindows() && File.Exists(path) && (File.GetUnixFileMode(path) & Others) != 0)
            {
                throw new StoreException(
                    $"The store file '{path}' may be read or written by others than its owner, and holds a password. "
                        + "Take that right away (chmod 600), and change the password if others had it.");
            }

            using FileStream file = File.OpenRead(path);
            if (file.Length > FileBytesMax)
            {
                throw new StoreException($"The store file '{path}' has more than {FileBytesMax} bytes. Put one connection string into it.");
            }

            using var reader = new StreamReader(file);
            return Parse(reader.ReadToEnd().Trim(), $"the store file '{path}'");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new StoreException(
                $"The store file '{path}' cannot be read ({e.Message}). Give a file with the connection string of a database.");
        }
    }

    /// <summary>Takes a connection string.</summary>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="where">Where it stands, for messages.</param>
    /// <exception cref="StoreException">It cannot be used; the message has nothing of it but names of hosts.</exception>
    public static PostgresAddress Parse(string connectionString, string where)
    {
        NpgsqlConnectionStringBuilder settings;
        try
        {
            settings = new NpgsqlConnectionStringBuilder(connectionString);
        }
        catch (Exception e) when (e is ArgumentException or FormatException or InvalidCastException or OverflowException
            or KeyNotFoundException)
        {
            // Its message would quote what it could not read: a part of a password, where a quote is missing.
            throw new StoreException(
                $"The connection string in {where} cannot be read. Write it as "
                    + "'Host=...;Port=5432;Database=...;Username=...;Password=...', and a password with ; or quotes in double quotes.");
        }

        if (string.IsNullOrEmpty(settings.Host) || string.IsNullOrEmpty(settings.Database))
        {
            throw new StoreException($"The connection string in {where} names no host or no database. Add 'Host=...' and 'Database=...'.");
        }

        foreach (string host in settings.Host.Split(',', StringSplitOptions.TrimEntries))
        {
            if (!IsLocal(host) && settings.SslMode != SslMode.VerifyFull)
            {
                throw new StoreException(
                    $"The connection string in {where} leads to '{host}' over a network without a checked server: who is in between could "
                        + "read and change everything. Add 'SSL Mode=VerifyFull' and, for a private authority, 'Root Certificate=FILE'.");
            }
        }

        return new PostgresAddress(settings);
    }

    /// <summary>The database and its host, for people.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"the database '{_settings.Database}' at '{_settings.Host}:{_settings.Port}'");

    /// <summary>The connection string of one session.</summary>
    /// <param name="name">The session's name, as the server lists it.</param>
    /// <param name="lockTimeoutMs">How long it waits for a lock of another session.</param>
    /// <param name="isReadOnly">Whether it only reads.</param>
    public string For(string name, int lockTimeoutMs, bool isReadOnly)
    {
        var settings = new NpgsqlConnectionStringBuilder(_settings.ConnectionString)
        {
            ApplicationName = name,
            Pooling = false,
            Enlist = false,
            Multiplexing = false,
            PersistSecurityInfo = false,
            IncludeErrorDetail = false,
            LogParameters = false,
            SearchPath = PostgresSchema.Name,
            ClientEncoding = "UTF8",
            // Statements are prepared by the server when they come for the second time, within the round trip that runs them.
            MaxAutoPrepare = 100,
            AutoPrepareMinUsages = 2,
            KeepAlive = KeepAliveS,
            // A cancelled COMMIT that waits for a standby ends as if the standby had it: a connection is given up instead.
            CancellationTimeout = -1,
            Options = string.Create(
                CultureInfo.InvariantCulture,
                $"{_settings.Options} -c lock_timeout={lockTimeoutMs} -c statement_timeout=0 "
                    + $"-c idle_in_transaction_session_timeout={IdleInTransactionMs} "
                    + $"-c default_transaction_isolation={(isReadOnly ? "repeatable\\ read" : "read\\ committed")} "
                    + $"-c default_transaction_read_only={(isReadOnly ? "on" : "off")}").Trim(),
        };
        if (_settings.Timeout == new NpgsqlConnectionStringBuilder().Timeout)
        {
            settings.Timeout = ConnectTimeoutS;
        }

        if (settings.Host!.Contains(',', StringComparison.Ordinal))
        {
            settings.TargetSessionAttributes = "primary";
        }

        if (IsLocal(settings.Host))
        {
            settings.GssEncryptionMode = GssEncryptionMode.Disable;
        }

        return settings.ConnectionString;
    }

    /// <summary>What failed, for publishers too: nothing of hosts, users or secrets.</summary>
    public string Tell(Exception e) => Describe(e).Replace(ToString(), "the database", StringComparison.Ordinal);

    /// <summary>The same, for messages that name the database.</summary>
    public static string Describe(Exception e) => e switch
    {
        PostgresException { SqlState: [not '2', ..] or ['2', not '8', ..] } p => $"{p.MessageText}, {p.SqlState}",
        PostgresException p => $"the database refused the login, {p.SqlState}",
        StoreException s => s.Message,
        { InnerException: System.Net.Sockets.SocketException s } => $"no connection to the database, {s.SocketErrorCode}",
        TimeoutException or { InnerException: TimeoutException } => "the database did not answer in time",
        _ => "the connection to the database broke",
    };

    private static bool IsLocal(string host)
    {
        string name = host.StartsWith('[') ? host.Trim('[', ']') : host;
        return name.StartsWith('/') || name.StartsWith('@') || name.Equals("localhost", StringComparison.OrdinalIgnoreCase)
            || (IPAddress.TryParse(WithoutPort(name), out IPAddress? address) && IPAddress.IsLoopback(address));
    }

    /// <summary>A host of several may have its port behind it.</summary>
    private static string WithoutPort(string name) =>
        name.Count(c => c == ':') == 1 ? name[..name.IndexOf(':', StringComparison.Ordinal)] : name;
}
