using Npgsql;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// Reads of a store, with a connection and a thread of their own: they hold up neither who commits nor other such queues. A read runs
/// once every commit that was requested before it has ended, and applications take turns. Any thread calls; callbacks run on the thread of
/// reads. The connection is made when it is needed, and anew when it broke.
/// </summary>
internal sealed class PostgresReadQueue : IDisposable
{
    private readonly PostgresAddress _address;
    private readonly Func<PostgresSession> _open;
    private readonly Action<string> _onDamaged;
    private readonly int _countMax;
    private readonly TurnQueue<Work> _waiting = new();
    private readonly Thread _thread;
    // Not a Lock: waited on.
    private readonly object _gate = new();
    private PostgresSession? _session;
    private long _requested;
    private long _ended;
    private bool _isClosed;

    /// <param name="address">The database.</param>
    /// <param name="open">Connects; called on the thread of reads.</param>
    /// <param name="name">The name of its thread.</param>
    /// <param name="countMax">The most reads that wait.</param>
    /// <param name="onDamaged">Told what was found damaged.</param>
    public PostgresReadQueue(
        PostgresAddress address, Func<PostgresSession> open, string name, int countMax, Action<string> onDamaged)
    {
        _address = address;
        _open = open;
        _onDamaged = onDamaged;
        _countMax = countMax;
        _thread = new Thread(Run) { IsBackground = true, Name = name };
        _thread.Start();
    }

    /// <summary>True on the thread of reads: in a callback.</summary>
    public bool IsCurrentThread => Thread.CurrentThread == _thread;

    /// <summary>Adds a read; false if too many wait, or the store is closed.</summary>
    /// <param name="topic">The application it is for; 0 for what is of none, which takes turns like one.</param>
    /// <param name="read">What is read.</param>
    /// <param name="done">The answer.</param>
    public bool TryAdd<T>(uint topic, Func<PostgresReader, T> read, Action<ReadResult<T>> done)
    {
        ArgumentNullException.ThrowIfNull(done);
        var work = new Work<T>(read, done) { CommitsBefore = Volatile.Read(ref _requested) };
        lock (_gate)
        {
            if (_isClosed || _waiting.Count >= _countMax)
            {
                return false;
            }

            _waiting.Add(topic, work);
            Monitor.PulseAll(_gate);
            return true;
        }
    }

    /// <summary>A commit was requested: later reads see it.</summary>
    public void OnCommitRequested() => Interlocked.Increment(ref _requested);

    /// <summary>So many commits have ended, whatever became of them.</summary>
    public void OnCommitsEnded(int count)
    {
        lock (_gate)
        {
            _ended += count;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Accepts no more; what waits is still done.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Waits until all accepted reads have ended; called by the thread that commits, once all commits have ended.</summary>
    public void Dispose()
    {
        Close();
        _thread.Join();
    }

    private void Run()
    {
        while (Next() is { } work)
        {
            Read(work);
            work.Tell();
        }

        _session?.Dispose();
    }

    /// <summary>Waits for the next read and until it may begin; null once the queue is closed and empty.</summary>
    private Work? Next()
    {
        lock (_gate)
        {
            Work? work;
            while (!_waiting.TryTake(out work))
            {
                if (_isClosed)
                {
                    return null;
                }

                Monitor.Wait(_gate);
            }

            while (_ended < work.CommitsBefore)
            {
                Monitor.Wait(_gate);
            }

            return work;
        }
    }

    /// <summary>A read whose connection broke is done once more over another: it changes nothing.</summary>
    private void Read(Work work)
    {
        bool isAgain = false;
        while (true)
        {
            bool isNew = _session is null;
            try
            {
                _session ??= _open();
                work.Read(new PostgresReader(_session));
                return;
            }
            catch (StoreDamageException e)
            {
                _onDamaged(e.Message);
                work.Fail(StoreStatus.Damaged, e.Message);
                return;
            }
            catch (PostgresException e) when (e.SqlState == PostgresErrorCodes.LockNotAvailable)
            {
                work.Fail(StoreStatus.Busy, "Another session kept the store locked. Try again.");
                return;
            }
            catch (Exception e) when (e is NpgsqlException or StoreException or TimeoutException or InvalidOperationException
                or IOException or NullReferenceException or System.Net.Sockets.SocketException)
            {
                bool isBroken = _session is not { IsOpen: true };
                if (isBroken)
                {
                    _session?.Dispose();
                    _session = null;
                    if (!isNew && !isAgain)
                    {
                        isAgain = true;
                        continue;
                    }
                }

                work.Fail(
                    StoreStatus.Failed, $"The store cannot be read: {_address.Tell(e)}. Look after the database; try again.");
                return;
            }
        }
    }

    private abstract class Work
    {
        public long CommitsBefore { get; init; }

        public abstract void Read(PostgresReader reader);

        public abstract void Fail(StoreStatus status, string reason);

        public abstract void Tell();
    }

    private sealed class Work<T>(Func<PostgresReader, T> read, Action<ReadResult<T>> done) : Work
    {
        private ReadResult<T> _result;

        public override void Read(PostgresReader reader) => _result = new(StoreStatus.Done, read(reader), null);

        public override void Fail(StoreStatus status, string reason) => _result = new(status, default, reason);

        public override void Tell()
        {
            ReadResult<T> result = _result;
            // Frees the result early, which may be large.
            _result = default;
            done(result);
        }
    }
}
