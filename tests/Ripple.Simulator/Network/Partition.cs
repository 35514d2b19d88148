namespace Ripple.Simulator.Network;

/// <summary>One partition of the network.</summary>
internal sealed class Partition
{
    private readonly Connectivity _connectivity;

    internal Partition(Connectivity connectivity, int[] cells)
    {
        _connectivity = connectivity;
        Cells = cells;
    }

    /// <summary>True once the partition has healed.</summary>
    public bool IsHealed { get; private set; }

    internal int[] Cells { get; }

    /// <summary>Ends the partition. Other partitions remain in force. Later calls have no effect.</summary>
    public void Heal()
    {
        if (!IsHealed)
        {
            IsHealed = true;
            _connectivity.Heal(this);
        }
    }
}
