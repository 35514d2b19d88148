using Ripple.Engine.Memory;

namespace Ripple.Gms.Store.Postgres;

/// <summary>A store in a PostgreSQL database: three sessions, one to commit over and two to read.</summary>
internal sealed class PostgresHostStore : QueuedHostStore
{
    private const int SessionBytes = 256 * 1_024;

    private readonly PostgresAddress _address;
    private readonly IDisposable? _hostLock;
    private readonly PostgresCommitter _committer;

    /// <summary>Opens the store, and makes it in a database that has none, for a host.</summary>
    /// <param name="address">The database.</param>
    /// <param name="markPath">
    /// The path, without endings, of the files in which this host keeps what it saw of the database. Not used beside a host.
    /// </param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="StoreException">The database cannot be used, or another host has it open.</exception>
    /// <exception cref="StoreFormatException">A later version wrote it.</exception>
    public PostgresHostStore(PostgresAddress address, string markPath, HostStoreOptions? options = null)
        : base(options ?? new())
    {
        ArgumentNullException.ThrowIfNull(address);
        ArgumentException.ThrowIfNullOrEmpty(markPath);
        _address = address;
        _hostLock = Options.IsHost ? LockDirectory(markPath) : null;
        try
        {
            _committer = new PostgresCommitter(address, Options.IsHost ? markPath : null, Options);
        }
        catch
        {
            _hostLock?.Dispose();
            throw;
        }

        TokensVersion = _committer.TokensVersion;
        Start(
            new PostgresReadConnection(address, "ripple-reads", Options.BusyTimeoutMs, ReportDamage),
            new PostgresReadConnection(address, "ripple-walks", Options.BusyTimeoutMs, ReportDamage));
    }

    /// <summary>Adds the memory of a store with these options.</summary>
    public static void AddMemory(MemoryBudget budget, HostStoreOptions options)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(options);
        StoreQueue.AddMemory(budget, options);
        budget.Add(MemoryScope.Process, MemoryKind.Retained, "store: sessions of the database", 3, SessionBytes);
    }

    /// <summary>
    /// Takes the lock of a host's mark, whose directory is made: a second host in it is refused before it asks the database.
    /// </summary>
    /// <exception cref="StoreException">Another host has it.</exception>
    public static IDisposable LockDirectory(string markPath)
    {
        try
        {
            string directory = Path.GetDirectoryName(Path.GetFullPath(markPath))!;
            if (OperatingSystem.IsWindows())
            {
                Directory.CreateDirectory(directory);
            }
            else
            {
                // Made as for a store in a file: keys will lie in it.
                Directory.CreateDirectory(directory, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new StoreException(
                $"The directory of '{markPath}' cannot be made ({e.Message}). Give a path that this user may write.", e);
        }

        return StoreFiles.Lock(markPath);
    }

    /// <inheritdoc/>
    public override string? MarkTrouble => _committer.MarkTrouble;

    /// <inheritdoc/>
    protected override string Name => $"store in {_address}";

    /// <inheritdoc/>
    protected override StoreCopy? Copy => _committer.Copy;

    /// <summary>
    /// Writes what waits: all of it together, but a history is shortened in a transaction of its own, which takes its time.
    /// </summary>
    protected override void Write(List<CommitWork> commits)
    {
        var together = new List<CommitWork>();
        foreach (CommitWork commit in commits)
        {
            if (commit.Batch.Prunings.Count > 0)
            {
                WriteGroup(together);
                together.Clear();
                WriteGroup([commit]);
            }
            else
            {
                together.Add(commit);
            }
        }

        WriteGroup(together);
    }

    /// <inheritdoc/>
    protected override void Poll()
    {
        if (Condition.MustProbe)
        {
            if (_committer.Probe() is not { } trouble)
            {
                Condition.OnTaken();
            }
            else if (!trouble.MayPass)
            {
                Condition.OnTrouble(trouble);
            }
        }

        if (Condition.Forbids is null && _committer.ReadTokensVersion() is { } version)
        {
            TokensVersion = version;
        }

        _committer.Flush();
    }

    /// <inheritdoc/>
    protected override void Close()
    {
        _committer.Dispose();
        _hostLock?.Dispose();
    }

    private void WriteGroup(List<CommitWork> group)
    {
        if (group.Count == 0)
        {
            return;
        }

        if (Condition.Forbids is { } forbids)
        {
            CommitWork.FailAll(group, forbids.Status, forbids.Reason);
        }
        else if (_committer.Write([.. group]) is { } trouble)
        {
            Condition.OnTrouble(trouble);
        }
        else
        {
            Condition.OnTaken();
            TokensVersion = Math.Max(TokensVersion, _committer.TokensVersion);
        }
    }
}
