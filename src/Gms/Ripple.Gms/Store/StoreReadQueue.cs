namespace Ripple.Gms.Store;

/// <summary>
/// Reads of a store, with a connection and a thread of their own: they hold up neither who commits nor other such queues. A read runs
/// once every commit that was requested before it has ended, and applications take turns. Any thread calls; callbacks run on the thread of
/// reads.
/// </summary>
internal sealed class StoreReadQueue : IDisposable
{
    private readonly IStoreConnection _connection;
    private readonly TurnQueue<ReadWork> _waiting = new();
    private readonly int _countMax;
    private readonly Action _onPaused;
    private readonly Thread _thread;
    // Not a Lock: waited on.
    private readonly object _lock = new();
    private long _requested;
    private long _ended;
    private bool _isReading;
    private bool _isPauseWanted;
    private bool _isClosed;

    /// <param name="connection">The connection; disposed of by the thread when it ends.</param>
    /// <param name="name">The name of its thread.</param>
    /// <param name="countMax">The most reads that wait.</param>
    /// <param name="onPaused">Called when a pause that was wanted has begun, on the thread of reads.</param>
    public StoreReadQueue(IStoreConnection connection, string name, int countMax, Action onPaused)
    {
        _connection = connection;
        _countMax = countMax;
        _onPaused = onPaused;
        _thread = new Thread(Work) { IsBackground = true, Name = name };
        _thread.Start();
    }

    /// <summary>True on the thread of reads: in a callback.</summary>
    public bool IsCurrentThread => Thread.CurrentThread == _thread;

    /// <summary>Adds a read; false if too many wait, or the store is closed.</summary>
    /// <param name="topic">The application it is for; 0 for what is of none, which takes turns like one.</param>
    /// <param name="read">What is read.</param>
    /// <param name="done">The answer.</param>
    public bool TryAdd<T>(uint topic, Func<IStoreReader, T> read, Action<ReadResult<T>> done)
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

    /// <summary>Waits until all accepted reads have ended; called by the thread that commits, once all commits have ended.</summary>
    public void Dispose()
    {
        Close();
        Resume();
        _thread.Join();
    }

    private void Work()
    {
        while (Begin() is { } work)
        {
            if (_connection.Read(work.Read) is { } trouble)
            {
                work.Fail(trouble.Status, trouble.Reason);
            }

            End();
            work.Complete();
        }

        _connection.Dispose();
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
