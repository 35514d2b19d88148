using Ripple.Gms.Store;

namespace Ripple.Testing.Disks;

/// <summary>A backup of a simulated disk. Immutable.</summary>
internal sealed class SimulatedDiskCopy
{
    internal SimulatedDiskCopy(StoreImage image, StoreMark? mark)
    {
        Image = image;
        Mark = mark;
    }

    internal StoreImage Image { get; }

    /// <summary>The mark that was beside the store, which only a copy of the whole directory has.</summary>
    internal StoreMark? Mark { get; }
}
