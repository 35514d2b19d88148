using Ripple.Gms.Store;

namespace Ripple.Simulator.Disks;

/// <summary>A read, and the callback for its result.</summary>
internal sealed class SimulatedRead<T>(Func<StoreImage, T> read, Action<ReadResult<T>> done) : SimulatedWork
{
    private (StoreStatus Status, string Reason)? _failure;

    public override void Fail(StoreStatus status, string reason) => _failure = (status, reason);

    public override void Tell(StoreImage image) => done(_failure is { } failure
        ? new(failure.Status, default, failure.Reason)
        : new(StoreStatus.Done, read(image), null));
}
