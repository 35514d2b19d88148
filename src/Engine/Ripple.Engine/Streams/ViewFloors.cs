using Ripple.Engine.Regions;

namespace Ripple.Engine.Streams;

/// <summary>
/// For each recent view, the first sequence its joiners must receive. An aggregate covers the members of its own view only: members that
/// joined later may miss everything from that sequence on, so the aggregate frees nothing from there on.
/// </summary>
/// <param name="viewsKept">The number of recent views to keep.</param>
internal sealed class ViewFloors(int viewsKept)
{
    private readonly Entry[] _entries = new Entry[viewsKept];
    private RegionView? _newest;
    private int _count;

    public ViewNumber Current => _newest?.Number ?? default;

    public int MemberCount => _newest?.Members.Length ?? 0;

    /// <summary>Adds the next view; false when it is not newer than the last.</summary>
    public bool TryAdd(RegionView view, ulong nextSequence)
    {
        if (_count > 0 && view.Number.CompareTo(Current) <= 0)
        {
            return false;
        }

        bool hasJoiners = view.Members.Any(m => _newest is null || _newest.PositionOf(m.Slot) < 0);
        _entries[_count++ % _entries.Length] = new Entry(view.Number, hasJoiners ? nextSequence : ulong.MaxValue);
        _newest = view;
        return true;
    }

    /// <summary>How far an aggregate of a view may raise the floor; false when the view is not one of the recent ones.</summary>
    public bool TryGetBound(ViewNumber view, out ulong bound)
    {
        bound = ulong.MaxValue;
        bool isKnown = false;
        for (int i = 0; i < Math.Min(_count, _entries.Length); i++)
        {
            int order = _entries[i].Number.CompareTo(view);
            isKnown |= order == 0;
            if (order > 0 && _entries[i].FirstOwed != ulong.MaxValue)
            {
                bound = Math.Min(bound, _entries[i].FirstOwed - 1);
            }
        }

        return isKnown;
    }

    private readonly record struct Entry(ViewNumber Number, ulong FirstOwed);
}
