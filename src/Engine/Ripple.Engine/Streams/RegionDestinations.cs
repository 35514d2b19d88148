using Ripple.Engine.Core;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Streams;

/// <summary>
/// Where packets of a region go: the stream to the multicast group and by unicast to each member that does not hear it, broadcasts to each
/// member; to no member that is not known to be reached. The lists are built when a packet is made, so that many changes in a row cost one
/// pass over the members. Core thread.
/// </summary>
internal sealed class RegionDestinations
{
    private IReadOnlyList<RegionMember> _members = [];
    private NodeAddress _group;
    private IReadOnlySet<uint>? _hearing;
    private IReadOnlySet<uint>? _reached;
    private NodeAddress[]? _data;
    private NodeAddress[]? _control;

    /// <summary>True while there is no member, whether reached or not.</summary>
    public bool IsEmpty => _members.Count == 0;

    /// <summary>Where the stream goes. The array never changes; a change of destinations makes a new one.</summary>
    public NodeAddress[] Data => _data ??= MakeData();

    /// <summary>Where broadcasts go, in the members' order.</summary>
    public NodeAddress[] Control => _control ??= [.. _members.Where(IsReached).Select(m => m.ControlAddress)];

    /// <summary>The members changed.</summary>
    public void SetMembers(IReadOnlyList<RegionMember> members)
    {
        _members = members;
        _control = null;
        _data = null;
    }

    /// <summary>The set of members changed that are known to be reached at their addresses.</summary>
    /// <param name="reached">Their slots; null when all are.</param>
    public void SetReached(IReadOnlySet<uint>? reached)
    {
        _reached = reached;
        _control = null;
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
        if (IsEmpty)
        {
            return [];
        }

        if (_group.IsNone)
        {
            return [.. _members.Where(IsReached).Select(m => m.DataAddress)];
        }

        bool isHeard = _hearing is null || _members.Any(m => _hearing.Contains(m.Slot));
        NodeAddress[] others = _hearing is null
            ? []
            : [.. _members.Where(m => !_hearing.Contains(m.Slot) && IsReached(m)).Select(m => m.DataAddress)];
        return isHeard ? [_group, .. others] : others;
    }

    private bool IsReached(RegionMember member) => _reached is null || _reached.Contains(member.Slot);
}
