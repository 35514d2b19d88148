using Ripple.Gms.Store;

namespace Ripple.Simulator.Disks;

/// <summary>One request to a simulated store.</summary>
internal abstract class SimulatedWork
{
    public virtual long Bytes => 0;

    public abstract void Fail(StoreStatus status, string reason);

    public abstract void Tell(StoreImage image);
}
