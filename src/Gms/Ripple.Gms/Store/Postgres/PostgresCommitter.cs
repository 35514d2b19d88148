using System.Security.Cryptography;
using Npgsql;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// Commits groups of batches, each group in one transaction, over the one session that commits. What is common takes one round trip: the
/// group is judged by what the last commit left, and the transaction refuses itself if somebody else committed since; then, and for what
/// must be looked up, it takes two: one locks and reads, one writes. The store's thread.
/// </summary>
/// <remarks>
/// Every transaction begins with <see cref="PostgresFence"/>. One whose end is not known, because its connection broke, is found by its
/// nonce, before anything else is committed; what lies over it then is another commit, so that it cannot come later.
/// </remarks>
internal sealed partial class PostgresCommitter : IDisposable
{
    private const int AttemptsMax = 3;
    private const int LockMs = 1_000;
    private const int LeaderLockMs = 10_000;
    private const int PauseMs = 20;

    private const string Number =
        "UPDATE commit_position SET number = number + 1 / CASE WHEN number = $2 AND coalesce(nonces[1], 0) = $3 THEN 1 ELSE 0 END, "
            + "nonces = ($4 || nonces)[1:$5] WHERE id = $1";

    private readonly PostgresAddress _address;
    private readonly HostStoreOptions _options;
    private readonly PostgresMarkKeeper? _mark;
    private PostgresSession? _session;
    private readonly PostgresServer _server;
    private (int Process, DateTime Begun) _backend;
    private PostgresState _state;
    private uint _epoch;
    private Attempt? _unknown;
    private string? _lost;

    /// <summary>Connects, and makes the tables where they are missing.</summary>
    /// <param name="address">The database.</param>
    /// <param name="markPath">Where this host keeps what it saw of the database; null where a store is opened beside its host.</param>
    /// <param name="options">The options.</param>
    /// <exception cref="StoreException">The database cannot be used, or another host has it open.</exception>
    public PostgresCommitter(PostgresAddress address, string? markPath, HostStoreOptions options)
    {
        _address = address;
        _options = options;
        try
        {
            _session = PostgresSession.OpenPatiently(Open, options.OpenPatienceMs);
            PostgresSchema.Prepare(_session, mayMake: options.IsHost);
            _server = _session.Server;
            (long number, long[] nonces) = ReadPosition(_session);
            _state = PostgresState.Read(_session, number, nonces.FirstOrDefault());
            _epoch = _state.SlotEpoch;
            _mark = markPath is null ? null : new PostgresMarkKeeper(markPath, _session, _state, nonces, options.IsNewHere);
        }
        catch (Exception e)
        {
            _session?.Dispose();
            if (e is StoreException || !PostgresSession.IsDatabase(e))
            {
                throw;
            }

            // Without the cause, whose message may quote what was connected with.
            throw new StoreException($"The store in {address} cannot be opened: {PostgresAddress.Describe(e)}. "
                + "Look whether the database runs, and whether host, user, password and rights are right.");
        }
    }

    /// <summary>What the store is a copy of; null if it is none. Any thread.</summary>
    public StoreCopy? Copy => _mark?.Copy;

    /// <summary>Why what the host keeps of the database is older than the database; null if it is not. Any thread.</summary>
    public string? MarkTrouble => _mark?.Trouble;

    /// <summary>The version of the tokens as of the last commit.</summary>
    public long TokensVersion => _state.TokensVersion;

    /// <summary>Writes on what became durable to the disk.</summary>
    public void Flush() => _mark?.Flush();

    /// <summary>
    /// Writes batches that wait together, and sets the result of each that is not durable then. Null if the database took what it was
    /// given, else what befell.
    /// </summary>
    public StoreTrouble? Write(IReadOnlyList<CommitWork> works)
    {
        for (int attempt = 1; ; attempt++)
        {
            StoreTrouble? trouble = _lost is null ? Connect() : Unsettled();
            Outcome outcome = trouble is null ? TryWrite(works, mustLock: attempt > 1, out trouble) : Outcome.Failed;
            if (outcome == Outcome.Unknown)
            {
                // Those who wait are told what became of it, if that can be found out in time.
                outcome = Resolve(_options.BusyTimeoutMs) switch
                {
                    true => Outcome.Done,
                    false => Outcome.Again,
                    _ => Outcome.Failed,
                };
                trouble = outcome == Outcome.Failed ? Unsettled() : trouble;
            }

            switch (outcome)
            {
                case Outcome.Done:
                    return null;
                case Outcome.Each:
                    return WriteEach(works);
                case Outcome.Again when attempt < AttemptsMax:
                    continue;
                default:
                    trouble ??= new StoreTrouble(
                        StoreStatus.Busy, "Other sessions of the database were in the way. Nothing was written; try again.");
                    CommitWork.FailAll(works, trouble.Status, trouble.Reason);
                    return trouble;
            }
        }
    }

    /// <summary>
    /// Sees whether the database takes commits again, and what became of one whose end was not known. Null if it takes them.
    /// </summary>
    public StoreTrouble? Probe()
    {
        if (_lost is null && _unknown is not null)
        {
            switch (TryResolve())
            {
                case null:
                    return Unsettled();
                case true:
                    // It was told as failed, and its committer goes on without it.
                    _lost = "commits that were told as failed are in the database";
                    break;
                default:
                    return null;
            }
        }

        return _lost is null ? Write([]) : Unsettled();
    }

    /// <summary>The version of the tokens as it is in the database now; null if that cannot be read.</summary>
    public long? ReadTokensVersion()
    {
        try
        {
            return Connect() is null
                ? _session!.Scalar("SELECT number FROM settings WHERE name = 'tokens_version'") as long? ?? 0
                : null;
        }
        catch (Exception e) when (PostgresSession.IsDatabase(e))
        {
            Disconnect();
            return null;
        }
    }

    public void Dispose()
    {
        _session?.Dispose();
        _mark?.Flush();
        _mark?.Dispose();
    }

    /// <summary>
    /// Connects, if that is not so, and takes the host's lock: then a session that this process had before has ended.
    /// </summary>
    private StoreTrouble? Connect()
    {
        if (_session is { IsOpen: true })
        {
            return null;
        }

        Disconnect();
        try
        {
            _session = Open();
            return null;
        }
        catch (Exception e) when (e is StoreException || PostgresSession.IsDatabase(e))
        {
            return new StoreTrouble(
                StoreStatus.Full, $"The database of the store is away ({_address.Tell(e)}). Nothing was written; try again.");
        }
    }

    private PostgresSession Open()
    {
        PostgresSession session = PostgresSession.Open(_address, PostgresAddress.CommitsName, _options.BusyTimeoutMs, isReadOnly: false);
        try
        {
            if (_backend.Process != 0)
            {
                session.End(_backend);
            }

            // A host that has just ended has the lock until the server misses it. Who has the lease need not wait for that, if it may end
            // the other's session.
            bool isLeader = _options.Lease is { IsHeld: true };
            long untilMs = Environment.TickCount64 + (isLeader ? LeaderLockMs : LockMs);
            while (_options.IsHost && !session.TryLock())
            {
                if (_options.Lease is { IsHeld: true })
                {
                    session.EndLockHolder();
                }

                if (Environment.TickCount64 > untilMs)
                {
                    throw new StoreException($"The store in {_address} is in use by another host. Stop it, or give another database.");
                }

                Thread.Sleep(PauseMs);
            }

            _backend = session.Backend;
            return session;
        }
        catch
        {
            session.Dispose();
            throw;
        }
    }

    private void Disconnect()
    {
        _session?.Dispose();
        _session = null;
    }

    private StoreTrouble? WriteEach(IReadOnlyList<CommitWork> works)
    {
        StoreTrouble? trouble = null;
        foreach (CommitWork work in works)
        {
            if (trouble is null)
            {
                trouble = Write([work]);
            }
            else
            {
                work.Fail(trouble.Status, trouble.Reason);
            }
        }

        return trouble;
    }

    /// <summary>The end of an attempt is known, and it is written.</summary>
    private void OnDurable(Attempt attempt)
    {
        _state = attempt.State.WithoutFacts();
        _epoch = Math.Max(_epoch, _state.SlotEpoch);
        foreach ((CommitWork work, string reason) in attempt.Refused)
        {
            work.Fail(StoreStatus.Refused, reason);
        }

        _mark?.OnDurable(
            attempt.Works.Where(w => w.IsPending).Select(w => w.Batch),
            new PostgresPosition(attempt.State.Position, attempt.State.Nonce, _session?.Server ?? default));
    }

    private static NpgsqlBatchCommand NumberFrom(PostgresState before, long nonce) => Parameter.Command(
        Number,
        Parameter.Int(PostgresSchema.Slot),
        Parameter.Number(before.Position),
        Parameter.Number(before.Nonce),
        Parameter.Number(nonce),
        Parameter.Int(PostgresSchema.NoncesKept));

    private static long NewNonce()
    {
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        RandomNumberGenerator.Fill(bytes);
        // Not 0, which stands for none.
        return BitConverter.ToInt64(bytes) | 1;
    }

    private static (long Number, long[] Nonces) ReadPosition(PostgresSession session)
    {
        (long, long[])? position = null;
        session.Rows(
            "SELECT number, nonces FROM commit_position WHERE id = $1",
            [Parameter.Int(PostgresSchema.Slot)],
            row => position = (row.GetInt64(0), row.GetFieldValue<long[]>(1)));
        return position ?? throw new StoreException($"The store in {session.Address} lacks its position. It is damaged: restore a backup.");
    }

    private enum Outcome
    {
        Done,
        Again,
        Each,
        Unknown,
        Failed,
    }

    /// <summary>A transaction that was sent with its COMMIT.</summary>
    /// <param name="Works">The batches.</param>
    /// <param name="Refused">Those of them that are not in it, and why.</param>
    /// <param name="State">The state after it, with its position and nonce.</param>
    private sealed record Attempt(
        IReadOnlyList<CommitWork> Works, IReadOnlyList<(CommitWork Work, string Reason)> Refused, PostgresState State);
}
