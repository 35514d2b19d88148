namespace Ripple.Gms.Store;

/// <summary>A batch to write. Its callback runs only after that, so that no one sees a result that is not durable.</summary>
internal sealed class CommitWork
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

    /// <summary>Bytes it occupies in the queue.</summary>
    public long Bytes { get; }

    /// <summary>True if it is to be written: malformed batches are refused on creation.</summary>
    public bool IsPending => _result.IsDone;

    /// <summary>Ends these as failed.</summary>
    public static void FailAll(IEnumerable<CommitWork> works, StoreStatus status, string reason)
    {
        foreach (CommitWork work in works)
        {
            work.Fail(status, reason);
        }
    }

    /// <summary>Ends it as failed.</summary>
    public void Fail(StoreStatus status, string reason) => _result = new(status, reason);

    /// <summary>Runs the callback; called once, last.</summary>
    public void Complete() => _done(_result);
}

/// <summary>A read request.</summary>
internal abstract class ReadWork
{
    /// <summary>The number of commits that were requested before it.</summary>
    public long CommitsBefore { get; init; }

    /// <summary>Executes it.</summary>
    public abstract void Read(IStoreReader reader);

    /// <summary>Ends it as failed.</summary>
    public abstract void Fail(StoreStatus status, string reason);

    /// <summary>Runs the callback; called once, last.</summary>
    public abstract void Complete();
}

/// <summary>A read request with its callback.</summary>
internal sealed class ReadWork<T>(Func<IStoreReader, T> read, Action<ReadResult<T>> done) : ReadWork
{
    private ReadResult<T> _result;

    public override void Read(IStoreReader reader) => _result = new(StoreStatus.Done, read(reader), null);

    public override void Fail(StoreStatus status, string reason) => _result = new(status, default, reason);

    public override void Complete()
    {
        ReadResult<T> result = _result;
        // Frees the result early, which may be large.
        _result = default;
        done(result);
    }
}
