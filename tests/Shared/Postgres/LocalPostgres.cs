using System.Diagnostics;
using System.Globalization;
using Npgsql;

namespace Ripple.Tests.Shared.Postgres;

/// <summary>
/// A PostgreSQL server of the caller's own, from a distribution's package, in a temporary directory and at a Unix socket. Members are
/// called by one thread at a time, but for those that make databases and ask.
/// </summary>
internal sealed class LocalPostgres : IDisposable
{
    // A server refuses to run as root. Its first role has the name of its user, as a distribution's has.
    private const string User = "postgres";
    private const string Owner = "host";
    private const string Memory = "/dev/shm";
    private const long MemoryBytesMin = 1L << 30;
    private readonly string _directory;
    private string? _binaries;
    private Process? _server;
    private int _databases;

    /// <param name="isInMemory">
    /// Whether its files may lie in memory, where there is room: a test is not to wait for what others write to the disk.
    /// </param>
    public LocalPostgres(bool isInMemory)
    {
        bool hasRoom = isInMemory && Directory.Exists(Memory) && new DriveInfo(Memory).AvailableFreeSpace >= MemoryBytesMin;
        _directory = Path.Combine(hasRoom ? Memory : Path.GetTempPath(), "ripple-pg-" + Guid.NewGuid().ToString("N")[..8]);
    }

    /// <summary>Switches of the server, besides those that it needs. Default none.</summary>
    public string[] Settings { get; init; } = [];

    /// <summary>What PostgreSQL's own programs take for their environment, to be its administrator's.</summary>
    public IReadOnlyDictionary<string, string> Environment => new Dictionary<string, string> { ["PGHOST"] = _directory, ["PGUSER"] = User };

    /// <summary>The file of its socket.</summary>
    public string SocketPath => Path.Combine(_directory, ".s.PGSQL.5432");

    /// <summary>True while it runs.</summary>
    public bool IsRunning => _server is not null;

    /// <summary>Sets it up and starts it; null, or why that is not possible here.</summary>
    public string? TryStart()
    {
        _binaries = Directory.Exists("/usr/lib/postgresql")
            ? Directory.GetDirectories("/usr/lib/postgresql").Select(d => Path.Combine(d, "bin")).Where(
                d => File.Exists(Path.Combine(d, "initdb"))).OrderDescending(StringComparer.Ordinal).FirstOrDefault()
            : null;
        if (_binaries is null)
        {
            return "No PostgreSQL is installed below /usr/lib/postgresql: install the package 'postgresql'.";
        }

        Directory.CreateDirectory(_directory);
        string data = Path.Combine(_directory, "data");
        if (System.Environment.IsPrivilegedProcess && Start(new ProcessStartInfo("chown", [User, _directory])).Code != 0)
        {
            return $"There is no user '{User}', as which PostgreSQL runs.";
        }

        (int code, string output) = Execute(
            "initdb", "-D", data, "-A", "trust", "-U", User, "-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions");
        if (code != 0)
        {
            return $"PostgreSQL cannot be set up: {output}";
        }

        if (!Begin())
        {
            return "PostgreSQL was started and takes no connections.";
        }

        Run("postgres", $"CREATE ROLE {Owner} LOGIN");
        return null;
    }

    /// <summary>Starts it where it is; false if it takes no connections then.</summary>
    public bool Begin()
    {
        ProcessStartInfo start = As(
            "postgres",
            [
                "-D", Path.Combine(_directory, "data"), "-k", _directory, "-c", "listen_addresses=", "-c", "max_connections=200",
                "-c", "shared_buffers=32MB", "-c", "autovacuum=off", "-c", "log_min_messages=fatal", "-c", "log_destination=stderr",
                .. Settings,
            ]);
        start.RedirectStandardError = true;
        _server = Process.Start(start)!;
        _server.ErrorDataReceived += (_, _) => { };
        _server.BeginErrorReadLine();
        return SpinWait.SpinUntil(() => Execute("pg_isready", "-h", _directory, "-q").Code == 0, TimeSpan.FromSeconds(60));
    }

    /// <summary>Ends it as a crash does.</summary>
    public void Kill()
    {
        Execute("pg_ctl", "stop", "-m", "immediate", "-D", Path.Combine(_directory, "data"));
        _server!.WaitForExit(10_000);
        _server.Dispose();
        _server = null;
    }

    /// <summary>Makes an empty database of a user who may do nothing else; its name.</summary>
    public string MakeDatabase() => Make(" ");

    /// <summary>Makes a database that is as another one is, which nobody has open; its name.</summary>
    public string Copy(string database) => Make($" TEMPLATE {database} ");

    /// <summary>Puts a database that is as another one is in the place of a third.</summary>
    public void Replace(string database, string copy)
    {
        Run("postgres", $"DROP DATABASE {database} WITH (FORCE)");
        Run("postgres", $"CREATE DATABASE {database} TEMPLATE {copy} OWNER {Owner}");
    }

    /// <summary>The connection string of a host.</summary>
    public string ConnectionString(string database) => $"Host={_directory};Database={database};Username={Owner}";

    /// <summary>Connects as the owner of the server.</summary>
    public NpgsqlConnection Connect(string database)
    {
        var connection = new NpgsqlConnection($"Host={_directory};Database={database};Username={User};Pooling=false;Search Path=ripple");
        connection.Open();
        return connection;
    }

    /// <summary>Runs statements as the owner of the server.</summary>
    public void Run(string database, string sql)
    {
        using NpgsqlConnection connection = Connect(database);
        using var command = new NpgsqlCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    /// <summary>Asks as the owner of the server.</summary>
    public object? Ask(string database, string sql)
    {
        using NpgsqlConnection connection = Connect(database);
        using var command = new NpgsqlCommand(sql, connection);
        return command.ExecuteScalar();
    }

    /// <summary>Runs a program to its end.</summary>
    public static (int Code, string Output) Start(ProcessStartInfo start)
    {
        start.RedirectStandardError = true;
        start.RedirectStandardOutput = true;
        try
        {
            using Process process = Process.Start(start)!;
            Task<string> errors = process.StandardError.ReadToEndAsync();
            string output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            return (process.ExitCode, output + errors.Result);
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            return (-1, e.Message);
        }
    }

    public void Dispose()
    {
        if (_server is not null)
        {
            Kill();
        }

        if (Directory.Exists(_directory))
        {
            Directory.Delete(_directory, recursive: true);
        }
    }

    private string Make(string template)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"db{Interlocked.Increment(ref _databases)}");
        Run("postgres", $"CREATE DATABASE {name}{template}OWNER {Owner}");
        return name;
    }

    private (int Code, string Output) Execute(string program, params string[] arguments) => Start(As(program, arguments));

    private ProcessStartInfo As(string program, params string[] arguments)
    {
        string path = Path.Combine(_binaries!, program);
        return System.Environment.IsPrivilegedProcess
            ? new ProcessStartInfo("runuser", ["-u", User, "--", path, .. arguments]) { WorkingDirectory = _directory }
            : new ProcessStartInfo(path, arguments) { WorkingDirectory = _directory };
    }
}
