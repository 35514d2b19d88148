using Ripple.Engine.Memory;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

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
    /// <param name="nowNs">The core time.</param>
    /// <param name="viewsKept">
    /// The number of views to keep. Aggregates of older ones are dropped; the sender keeps the floors of joiners for the same number of
    /// views.
    /// </param>
    public KeptViews(RegionView first, long nowNs, int viewsKept)
    {
        _viewsKept = viewsKept;
        Newest = new KeptView(first, [], nowNs);
        _views.Enqueue(Newest);
    }

    public static void AddMemory(MemoryBudget budget)
    {
        int viewsKept = StreamOptions.Default.ViewsKept;
        budget.Add<RegionMember>(MemoryScope.Connection, MemoryKind.Retained, "region: a member in each view kept", viewsKept);
        budget.Add<RegionSeat>(MemoryScope.Connection, MemoryKind.Retained, "region: a seat in each view kept", viewsKept);
        PartProgress.AddMemory(budget, viewsKept);
    }

    /// <summary>The view that the host currently sends in.</summary>
    public KeptView Newest { get; private set; }

    /// <summary>Adds the next view.</summary>
    /// <param name="view">The view.</param>
    /// <param name="seats">The seats of its members in slot order, which is the order of ring positions.</param>
    /// <param name="nowNs">The core time.</param>
    public void Add(RegionView view, IEnumerable<RegionSeat> seats, long nowNs)
    {
        Newest = new KeptView(view, [.. seats], nowNs);
        _views.Enqueue(Newest);
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
/// <param name="MadeNs">When it was made, in core time.</param>
internal sealed record KeptView(RegionView View, RegionSeat[] Seats, long MadeNs)
{
    /// <summary>What its parts told.</summary>
    public PartProgress Progress { get; } = new(View, MadeNs);
}

/// <summary>A member's seat in a region, shared by all views that include it. Core thread.</summary>
/// <param name="member">The member.</param>
/// <param name="key">The key that only this member was given.</param>
internal sealed class RegionSeat(IRegionMember member, MemberKey key)
{
    /// <summary>The seat, its key and the key's bytes.</summary>
    private const int Bytes = (2 * (MemoryBudget.ObjectBytes + 24)) + MemoryBudget.ArrayBytes + MemberKey.KeyBytes;

    private ulong _aggregates;

    public static void AddMemory(MemoryBudget budget) =>
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "region: a member's seat and its own key", 1, Bytes);

    /// <summary>The member; null once removed.</summary>
    public IRegionMember? Member { get; private set; } = member;

    /// <summary>Whether the member itself made this aggregate.</summary>
    /// <param name="aggregate">The payload.</param>
    /// <param name="isNew">False for one that was believed before, or that a later one overtook.</param>
    public bool TryBelieve(ReadOnlySpan<byte> aggregate, out bool isNew)
    {
        isNew = false;
        if (!AggregateProof.TryVerify(aggregate, key, out ulong count))
        {
            return false;
        }

        isNew = count > _aggregates;
        _aggregates = Math.Max(_aggregates, count);
        return true;
    }

    /// <summary>Removes the member: kept views then have an empty seat there.</summary>
    public void Clear() => Member = null;
}
