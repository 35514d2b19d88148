namespace Ripple.Gms.Store;

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

    public override void Tell() => _done(_result);
}
