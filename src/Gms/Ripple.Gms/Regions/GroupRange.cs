using Ripple.Engine.Core;

namespace Ripple.Gms.Regions;

/// <summary>The multicast groups that a host may assign to its regions: consecutive addresses on one port. Core thread.</summary>
internal sealed class GroupRange
{
    private readonly NodeAddress _first;
    private readonly int _count;
    private readonly SortedSet<int> _returned = [];
    private int _taken;

    /// <param name="first">The first group's address and port.</param>
    /// <param name="count">The number of groups.</param>
    public GroupRange(NodeAddress first, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        _first = first;
        _count = count;
    }

    /// <summary>Takes a group that no region of this host uses; the default address when all are taken.</summary>
    public NodeAddress Take()
    {
        if (_returned.Count > 0)
        {
            int index = _returned.Min;
            _returned.Remove(index);
            return At(index);
        }

        return _taken < _count ? At(_taken++) : default;
    }

    /// <summary>Returns a group that was taken.</summary>
    public void Return(in NodeAddress group) => _returned.Add((int)(group.Low - _first.Low));

    private NodeAddress At(int index) => _first with { Low = _first.Low + (ulong)index };
}
