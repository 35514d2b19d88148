using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>The current partitions between machines, which apply to datagrams and control connections alike.</summary>
internal sealed class Connectivity
{
    private int[] _cuts = [];
    private int _machineCount;

    /// <summary>The number of current partitions.</summary>
    public int PartitionCount { get; private set; }

    internal Action? Changed { get; set; }

    /// <summary>
    /// Blocks traffic from one set of machines to another and, unless one-way, also back. A machine in both sets still reaches itself.
    /// </summary>
    public Partition Cut(IReadOnlyCollection<SimulatedMachine> from, IReadOnlyCollection<SimulatedMachine> to, bool isOneWay = false)
    {
        var cells = new List<int>();
        foreach (SimulatedMachine a in from)
        {
            foreach (SimulatedMachine b in to)
            {
                if (!ReferenceEquals(a, b))
                {
                    cells.Add((a.Index << 16) | b.Index);
                    if (!isOneWay)
                    {
                        cells.Add((b.Index << 16) | a.Index);
                    }
                }
            }
        }

        var partition = new Partition(this, [.. cells]);
        PartitionCount++;
        Apply(partition, 1);
        return partition;
    }

    /// <summary>Whether traffic from one machine to the other is blocked.</summary>
    public bool IsBlocked(SimulatedMachine from, SimulatedMachine to)
    {
        ArgumentNullException.ThrowIfNull(from);
        ArgumentNullException.ThrowIfNull(to);
        return PartitionCount > 0 && _cuts[(from.Index * _machineCount) + to.Index] > 0;
    }

    internal void Grow(int machineCount)
    {
        int[] cuts = new int[machineCount * machineCount];
        for (int from = 0; from < _machineCount; from++)
        {
            Array.Copy(_cuts, from * _machineCount, cuts, from * machineCount, _machineCount);
        }

        _cuts = cuts;
        _machineCount = machineCount;
    }

    internal void Heal(Partition partition)
    {
        PartitionCount--;
        Apply(partition, -1);
    }

    private void Apply(Partition partition, int change)
    {
        foreach (int cell in partition.Cells)
        {
            _cuts[((cell >> 16) * _machineCount) + (cell & 0xFFFF)] += change;
        }

        Changed?.Invoke();
    }
}
