using Ripple.Testing.Simulation;

namespace Ripple.Testing.Network;

/// <summary>Which machines cannot reach which: the partitions that stand now, for datagrams and control connections alike.</summary>
internal sealed class Connectivity
{
    private int[] _cuts = [];
    private int _machineCount;

    /// <summary>How many partitions stand.</summary>
    public int PartitionCount { get; private set; }

    internal Action? Changed { get; set; }

    /// <summary>
    /// Cuts what the machines of one set send to those of another, and, unless it is one-way, what those send back. A machine in both sets
    /// still reaches itself.
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

    /// <summary>True when nothing passes from one machine to the other.</summary>
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
