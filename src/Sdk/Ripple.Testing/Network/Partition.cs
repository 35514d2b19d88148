namespace Ripple.Testing.Network;

/// <summary>One partition of the network.</summary>
internal sealed class Partition
{
    private readonly Connectivity _connectivity;

    internal Partition(Connectivity connectivity, int[] cells)
    {
        _connectivity = connectivity;
        Cells = cells;
    }

    /// <summary>True once it is healed.</summary>
    public bool IsHealed { get; private set; }

    internal int[] Cells { get; }

    /// <summary>Ends it. Other partitions that stand still separate what they separate. Nothing happens the second time.</summary>
    public void Heal()
    {
        if (!IsHealed)
        {
            IsHealed = true;
            _connectivity.Heal(this);
        }
    }
}
