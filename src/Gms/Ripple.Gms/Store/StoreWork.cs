namespace Ripple.Gms.Store;

/// <summary>
/// One request to the store's thread: a commit or a read. Callbacks run only after execution, so no one sees a result that is not durable.
/// </summary>
internal abstract class StoreWork
{
    /// <summary>Bytes it occupies in the queue.</summary>
    public virtual long Bytes => 0;

    /// <summary>Ends it as failed, without executing it.</summary>
    public abstract void Fail(StoreStatus status, string reason);

    /// <summary>Runs the callback; called once, last.</summary>
    public abstract void Complete();
}

/// <summary>A batch to write.</summary>
internal sealed class CommitWork : StoreWork
{
    private readonly Action<CommitResult> _done;
    private CommitResult _result;

    public CommitWork(CommitBatch batch, Action<CommitResult> done)
    {
        _done = done;
        Batch = batch;
        if (batch.Check() is { } wrong)
        {
            Fail(StoreStatus.Refused, wrong);
        }
        else
        {
            Bytes = batch.QueuedBytes;
        }
    }

    public CommitBatch Batch { get; }

    public override long Bytes { get; }

    /// <summary>True if it is to be written: malformed batches are refused on creation.</summary>
    public bool IsPending => _result.IsDone;

    public override void Fail(StoreStatus status, string reason) => _result = new(status, reason);

    public override void Complete() => _done(_result);
}

/// <summary>A read request.</summary>
internal abstract class ReadWork : StoreWork
{
    /// <summary>The number of commits that were requested before it.</summary>
    public long CommitsBefore { get; init; }

    public abstract void Read(SqliteReader reader);
}

/// <summary>A read request with its callback.</summary>
internal sealed class ReadWork<T>(Func<SqliteReader, T> read, Action<ReadResult<T>> done) : ReadWork
{
    private ReadResult<T> _result;

    public override void Read(SqliteReader reader) => _result = new(StoreStatus.Done, read(reader), null);

    public override void Fail(StoreStatus status, string reason) => _result = new(status, default, reason);

    public override void Complete()
    {
        ReadResult<T> result = _result;
        // Frees the result early: the group may be long and the result large.
        _result = default;
        done(result);
    }
}
