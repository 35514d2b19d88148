using Ripple.Engine.Core;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Streams;

/// <summary>
/// Where packets of a region go: the stream to the multicast group and by unicast to each member that does not hear it, broadcasts to each
/// member. The stream's list is built when a packet is made, so that many changes in a row cost one pass over the members. Core thread.
/// </summary>
internal sealed class RegionDestinations
{
    private RegionView? _view;
    private NodeAddress _group;
    private IReadOnlySet<uint>? _hearing;
    private NodeAddress[]? _data;

    /// <summary>Where the stream goes. The array never changes; a change of destinations makes a new one.</summary>
    public NodeAddress[] Data => _data ??= MakeData();

    /// <summary>Where broadcasts go, by ring position.</summary>
    public NodeAddress[] Control { get; private set; } = [];

    /// <summary>The members changed.</summary>
    public void SetView(RegionView view)
    {
        var control = new NodeAddress[view.Members.Length];
        for (int i = 0; i < control.Length; i++)
        {
            control[i] = view.Members[i].ControlAddress;
        }

        _view = view;
        Control = control;
        _data = null;
    }

    /// <summary>The group changed, or the set of members that hear it.</summary>
    /// <param name="group">The group; the default address for none.</param>
    /// <param name="hearing">The slots of the members that hear it; null when all do.</param>
    public void SetGroup(in NodeAddress group, IReadOnlySet<uint>? hearing)
    {
        _group = group;
        _hearing = hearing;
        _data = null;
    }

    private NodeAddress[] MakeData()
    {
        if (_view is not { } view)
        {
            return [];
        }

        if (_group.IsNone)
        {
            return [.. view.Members.Select(m => m.DataAddress)];
        }

        NodeAddress[] others = _hearing is null ? [] : [.. view.Members.Where(m => !_hearing.Contains(m.Slot)).Select(m => m.DataAddress)];
        return others.Length == view.Members.Length ? others : [_group, .. others];
    }
}
