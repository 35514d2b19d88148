using Ripple.Engine.Memory;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;

namespace Ripple.Gms.Regions;

/// <summary>
/// The last views of a region, each with its members by ring position: aggregates name the view they were gathered in, and positions in it.
/// Core thread.
/// </summary>
internal sealed class KeptViews
{
    private readonly int _viewsKept;
    private readonly Queue<(RegionView View, RegionSeat[] Seats)> _views = [];

    /// <param name="first">The first view.</param>
    /// <param name="viewsKept">
    /// The number of views to keep. Aggregates of older ones are dropped; the sender keeps the floors of joiners for the same number of
    /// views.
    /// </param>
    public KeptViews(RegionView first, int viewsKept)
    {
        _viewsKept = viewsKept;
        Newest = first;
        _views.Enqueue((first, []));
    }

    public static void AddMemory(MemoryBudget budget)
    {
        int viewsKept = StreamOptions.Default.ViewsKept;
        budget.Add<RegionMember>(MemoryScope.Connection, MemoryKind.Retained, "region: a member in each view kept", viewsKept);
        budget.Add<RegionSeat>(MemoryScope.Connection, MemoryKind.Retained, "region: a seat in each view kept", viewsKept);
    }

    /// <summary>The view that the host currently sends in.</summary>
    public RegionView Newest { get; private set; }

    /// <summary>Adds the next view.</summary>
    /// <param name="view">The view.</param>
    /// <param name="seats">The seats of its members in slot order, which is the order of ring positions.</param>
    public void Add(RegionView view, IEnumerable<RegionSeat> seats)
    {
        Newest = view;
        _views.Enqueue((view, [.. seats]));
        if (_views.Count > _viewsKept)
        {
            _views.Dequeue();
        }
    }

    /// <summary>Finds a kept view and its seats by ring position; null if it is no longer kept, or never existed.</summary>
    public RegionView? Find(ViewNumber number, out RegionSeat[] seats)
    {
        foreach ((RegionView view, RegionSeat[] of) in _views)
        {
            if (view.Number == number)
            {
                seats = of;
                return view;
            }
        }

        seats = [];
        return null;
    }
}
