namespace Ripple.Testing.Disks;

/// <summary>A backup of a simulated disk. Immutable.</summary>
internal sealed class SimulatedDiskCopy
{
    internal SimulatedDiskCopy(StoreImage image) => Image = image;

    internal StoreImage Image { get; }
}
