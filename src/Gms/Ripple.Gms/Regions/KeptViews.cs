using Ripple.Engine.Memory;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;

namespace Ripple.Gms.Regions;

/// <summary>
/// The last views of a region, each with its members by position and what its parts told: aggregates name the view they were gathered in,
/// and positions in it. Core thread.
/// </summary>
internal sealed class KeptViews
{
    private readonly int _viewsKept;
    private readonly Queue<KeptView> _views = [];

    /// <param name="first">The first view.</param>
    /// <param name="viewsKept">
    /// The number of views to keep. Aggregates of older ones are dropped; the sender keeps the floors of joiners for the same number of
    /// views.
    /// </param>
    public KeptViews(RegionView first, int viewsKept)
    {
        _viewsKept = viewsKept;
        Newest = first;
        _views.Enqueue(new KeptView(first, []));
    }

    public static void AddMemory(MemoryBudget budget)
    {
        int viewsKept = StreamOptions.Default.ViewsKept;
        budget.Add<RegionMember>(MemoryScope.Connection, MemoryKind.Retained, "region: a member in each view kept", viewsKept);
        budget.Add<RegionSeat>(MemoryScope.Connection, MemoryKind.Retained, "region: a seat in each view kept", viewsKept);
        // There are fewer parts than members.
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "region: progress of a part in each view kept", viewsKept, 24);
    }

    /// <summary>The view that the host currently sends in.</summary>
    public RegionView Newest { get; private set; }

    /// <summary>Adds the next view.</summary>
    /// <param name="view">The view.</param>
    /// <param name="seats">The seats of its members in slot order, which is the order of ring positions.</param>
    public void Add(RegionView view, IEnumerable<RegionSeat> seats)
    {
        Newest = view;
        _views.Enqueue(new KeptView(view, [.. seats]));
        if (_views.Count > _viewsKept)
        {
            _views.Dequeue();
        }
    }

    /// <summary>Finds a kept view; null if it is no longer kept, or never existed.</summary>
    public KeptView? Find(ViewNumber number)
    {
        foreach (KeptView kept in _views)
        {
            if (kept.View.Number == number)
            {
                return kept;
            }
        }

        return null;
    }
}

/// <summary>A view that aggregates may still name.</summary>
/// <param name="View">The view.</param>
/// <param name="Seats">The seats of its members, by position.</param>
internal sealed record KeptView(RegionView View, RegionSeat[] Seats)
{
    /// <summary>What its parts told.</summary>
    public PartProgress Progress { get; } = new(View);
}
