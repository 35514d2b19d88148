using Ripple.Gms.Store;

namespace Ripple.Simulator.Disks;

/// <summary>A batch to write.</summary>
internal sealed class SimulatedCommit : SimulatedWork
{
    private readonly Action<CommitResult> _done;
    private CommitResult _result;

    public SimulatedCommit(CommitBatch batch, Action<CommitResult> done)
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

    public bool IsPending => _result.IsDone;

    public override void Fail(StoreStatus status, string reason) => _result = new(status, reason);

    public override void Tell(StoreImage image) => _done(_result);
}
