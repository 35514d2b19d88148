using Ripple.Engine.Memory;

namespace Ripple.Gms.Store;

/// <summary>
/// Reads of a store, with a connection and a thread of their own: they hold up neither who commits nor other such queues. A read runs
/// once every commit that was requested before it has ended, and applications take turns. Any thread calls; callbacks run on the thread of
/// reads.
/// </summary>
internal sealed class SqliteReadQueue : IDisposable
{
    private readonly SqliteDatabase _database;
    private readonly SqliteReader _reader;
    private readonly TurnQueue<ReadWork> _waiting = new();
    private readonly int _countMax;
    private readonly Func<Action, (StoreStatus Status, string Reason)?> _guarded;
    private readonly Action _onPaused;
    private readonly Thread _thread;
    // Not a Lock: waited on.
    private readonly object _lock = new();
    private long _requested;
    private long _ended;
    private bool _isReading;
    private bool _isPauseWanted;
    private bool _isClosed;

    /// <param name="database">The connection; disposed of by the thread when it ends.</param>
    /// <param name="name">The name of its thread.</param>
    /// <param name="countMax">The most reads that wait.</param>
    /// <param name="guarded">Runs a read; returns what failed, if anything.</param>
    /// <param name="onPaused">Called when a pause that was wanted has begun, on the thread of reads.</param>
    public SqliteReadQueue(
        SqliteDatabase database, string name, int countMax, Func<Action, (StoreStatus Status, string Reason)?> guarded, Action onPaused)
    {
        _database = database;
        _reader = new SqliteReader(database);
        _countMax = countMax;
        _guarded = guarded;
        _onPaused = onPaused;
        _thread = new Thread(Work) { IsBackground = true, Name = name };
        _thread.Start();
    }

    /// <summary>Adds the memory of so many queues.</summary>
    public static void AddMemory(MemoryBudget budget, int count) => budget.Add(
        MemoryScope.Process, MemoryKind.Retained, "store: SQLite's pages, of reads", count * (long)StoreSchema.PageCacheKib, 1_024);

    /// <summary>Adds a read; false if too many wait, or the store is closed.</summary>
    /// <param name="topic">The application it is for; 0 for what is of none, which takes turns like one.</param>
    /// <param name="read">What is read.</param>
    /// <param name="done">The answer.</param>
    public bool TryAdd<T>(uint topic, Func<SqliteReader, T> read, Action<ReadResult<T>> done)
    {
        var work = new ReadWork<T>(read, done) { CommitsBefore = Volatile.Read(ref _requested) };
        lock (_lock)
        {
            if (_isClosed || _waiting.Count >= _countMax)
            {
                return false;
            }

            _waiting.Add(topic, work);
            Monitor.PulseAll(_lock);
            return true;
        }
    }

    /// <summary>A commit was requested: later reads see it.</summary>
    public void OnCommitRequested() => Interlocked.Increment(ref _requested);

    /// <summary>So many commits have ended, whatever became of them.</summary>
    public void OnCommitsEnded(int count)
    {
        lock (_lock)
        {
            _ended += count;
            Monitor.PulseAll(_lock);
        }
    }

    /// <summary>
    /// Lets no further read begin. True if none runs; else it returns at once, and the owner is told when the one that runs has ended.
    /// </summary>
    public bool TryPause()
    {
        lock (_lock)
        {
            _isPauseWanted = true;
            return !_isReading;
        }
    }

    /// <summary>Ends a pause.</summary>
    public void Resume()
    {
        lock (_lock)
        {
            _isPauseWanted = false;
            Monitor.PulseAll(_lock);
        }
    }

    /// <summary>Accepts no more; what waits is still done.</summary>
    public void Close()
    {
        lock (_lock)
        {
            _isClosed = true;
            Monitor.PulseAll(_lock);
        }
    }

    /// <summary>True on the thread of reads: in a callback.</summary>
    public bool IsCurrentThread => Thread.CurrentThread == _thread;

    /// <summary>Waits until all accepted reads have ended; called by the thread that commits, once all commits have ended.</summary>
    public void Dispose()
    {
        Close();
        Resume();
        _thread.Join();
    }

    private void Work()
    {
        while (Begin() is { } read)
        {
            if (_guarded(() => read.Read(_reader)) is { } failure)
            {
                read.Fail(failure.Status, failure.Reason);
            }

            End();
            read.Complete();
        }

        _database.Dispose();
    }

    /// <summary>Waits for the next read and until it may begin; null once the queue is closed and empty.</summary>
    private ReadWork? Begin()
    {
        lock (_lock)
        {
            ReadWork? read;
            while (!_waiting.TryTake(out read))
            {
                if (_isClosed)
                {
                    return null;
                }

                Monitor.Wait(_lock);
            }

            while (_ended < read.CommitsBefore || _isPauseWanted)
            {
                Monitor.Wait(_lock);
            }

            _isReading = true;
            return read;
        }
    }

    private void End()
    {
        bool isPaused;
        lock (_lock)
        {
            _isReading = false;
            isPaused = _isPauseWanted;
        }

        if (isPaused)
        {
            _onPaused();
        }
    }
}
