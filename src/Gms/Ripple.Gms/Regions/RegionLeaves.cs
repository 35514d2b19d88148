using Ripple.Engine.Memory;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Regions;

/// <summary>
/// The leaves of a region: members that its views lack because they held the others up, or heard nothing, and that are brought forward by
/// catch-up until they keep pace and join again. Who came back is remembered for a while, so that the next pause is longer. Core thread.
/// </summary>
/// <param name="membersPerLeaf">Of so many members one may be a leaf.</param>
internal sealed class RegionLeaves(int membersPerLeaf)
{
    /// <summary>The first pause; each next one is twice as long.</summary>
    public const long PauseNsMin = 1_000_000_000;

    /// <summary>The longest pause, and how long a member must stay in the view for the next one to be short again.</summary>
    public const long PauseNsMax = 64_000_000_000;

    /// <summary>How long one that has joined again may take to be reached by UDP: as long as the probes of its address do.</summary>
    private const long ReachNsMax = 5_000_000_000;

    /// <summary>A leaf, its place in the list and what was committed when it was last looked at.</summary>
    private const int Bytes = MemoryBudget.ObjectBytes + 72;

    private readonly List<Leaf> _all = [];

    public static void AddMemory(MemoryBudget budget) =>
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "region: a leaf", 1, Bytes);

    /// <summary>The leaves, in the order in which they became leaves.</summary>
    public IEnumerable<Leaf> Current => _all.Where(l => l.IsLeaf);

    public int Count => _all.Count(l => l.IsLeaf);

    /// <summary>How many have no seat.</summary>
    public int UnseatedCount => _all.Count(l => l.Stage is LeafStage.Leaving or LeafStage.Out);

    /// <summary>Whether one more may become a leaf.</summary>
    /// <param name="seats">The members that have a seat.</param>
    public bool HasRoom(int seats) => (Count + 1) * membersPerLeaf <= seats + UnseatedCount;

    /// <summary>A member becomes a leaf: the next view lacks it.</summary>
    /// <param name="member">The member.</param>
    /// <param name="slot">The slot that it had.</param>
    /// <param name="cause">Why.</param>
    /// <param name="nowNs">The core time.</param>
    public void Add(IRegionMember member, uint slot, LeafCause cause, long nowNs)
    {
        Leaf? leaf = _all.Find(l => ReferenceEquals(l.Member, member));
        if (leaf is null)
        {
            leaf = new Leaf(member);
            _all.Add(leaf);
        }

        leaf.PauseNs = NextPauseNs(leaf);
        (leaf.Stage, leaf.Slot, leaf.Cause, leaf.SinceNs) = (LeafStage.Leaving, slot, cause, nowNs);
    }

    /// <summary>A member is gone. True if it was a leaf.</summary>
    public bool Remove(IRegionMember member)
    {
        Leaf? leaf = _all.Find(l => ReferenceEquals(l.Member, member));
        return leaf is not null && _all.Remove(leaf) && leaf.IsLeaf;
    }

    /// <summary>A view takes effect: whom it lacks begins its pause, and whom it has again is a leaf no more.</summary>
    /// <param name="view">The view.</param>
    /// <param name="nowNs">The core time.</param>
    /// <returns>Who is to be told that the view lacks it.</returns>
    public IEnumerable<IRegionMember> OnView(RegionView view, long nowNs)
    {
        var left = new List<IRegionMember>();
        foreach (Leaf leaf in _all)
        {
            if (leaf.Stage == LeafStage.Leaving && view.PositionOf(leaf.Slot) < 0)
            {
                (leaf.Stage, leaf.DueNs) = (LeafStage.Out, nowNs + leaf.PauseNs);
                left.Add(leaf.Member);
            }
            else if (leaf.Stage == LeafStage.Returning && leaf.Member.Place is { } place && view.PositionOf(place.Slot) >= 0)
            {
                (leaf.Stage, leaf.DueNs) = (LeafStage.Back, nowNs + PauseNsMax);
                leaf.Member.EndLeaf();
            }
        }

        return left;
    }

    /// <summary>Called a few times a second: who may join again now.</summary>
    /// <param name="nowNs">The core time.</param>
    public IReadOnlyList<IRegionMember> Return(long nowNs)
    {
        _all.RemoveAll(l => l.Stage == LeafStage.Back && l.DueNs <= nowNs);
        var returning = new List<IRegionMember>();
        foreach (Leaf leaf in _all)
        {
            if (leaf.Stage != LeafStage.Out)
            {
                continue;
            }

            // Looked at in each turn: what is compared are the releases of the turn before.
            bool keepsPace = leaf.Member.KeepsPace();
            if (keepsPace && leaf.DueNs <= nowNs)
            {
                (leaf.Stage, leaf.DueNs) = (LeafStage.Returning, nowNs + ReachNsMax);
                returning.Add(leaf.Member);
            }
        }

        return returning;
    }

    /// <summary>Called before <see cref="Return"/>: who has joined again and is not in a view in time, has its next pause.</summary>
    /// <param name="nowNs">The core time.</param>
    /// <param name="isReached">Whether a slot is reached, and only waits for the view.</param>
    /// <returns>Whose place is to be taken away.</returns>
    public IReadOnlyList<IRegionMember> GiveUp(long nowNs, Func<uint, bool> isReached)
    {
        var given = new List<IRegionMember>();
        foreach (Leaf leaf in _all)
        {
            if (leaf.Stage == LeafStage.Returning && leaf.DueNs <= nowNs && leaf.Member.Place is { } place && !isReached(place.Slot))
            {
                leaf.PauseNs = NextPauseNs(leaf);
                (leaf.Stage, leaf.Slot, leaf.DueNs) = (LeafStage.Out, place.Slot, nowNs + leaf.PauseNs);
                given.Add(leaf.Member);
            }
        }

        return given;
    }

    private static long NextPauseNs(Leaf leaf) => leaf.PauseNs == 0 ? PauseNsMin : Math.Min(2 * leaf.PauseNs, PauseNsMax);
}

/// <summary>A member that is a leaf, or was one lately.</summary>
/// <param name="member">The member.</param>
internal sealed class Leaf(IRegionMember member)
{
    public IRegionMember Member { get; } = member;

    /// <summary>The slot that it had.</summary>
    public uint Slot { get; set; }

    public LeafCause Cause { get; set; }

    /// <summary>Since when, in core time.</summary>
    public long SinceNs { get; set; }

    /// <summary>How long it stays out of the view at least; 0 before it first becomes a leaf.</summary>
    public long PauseNs { get; set; }

    /// <summary>When the pause is over; for one that returns, when that is given up; for one that is back, when it is forgotten.</summary>
    public long DueNs { get; set; }

    public LeafStage Stage { get; set; }

    public bool IsLeaf => Stage != LeafStage.Back;
}

/// <summary>How far a leaf is on its way out of the view and back.</summary>
internal enum LeafStage
{
    /// <summary>The newest view still has the seat that was taken away.</summary>
    Leaving,

    /// <summary>It has no seat.</summary>
    Out,

    /// <summary>It joins again, and waits for the view that has it.</summary>
    Returning,

    /// <summary>It is no leaf any more.</summary>
    Back,
}

/// <summary>Why a member became a leaf.</summary>
internal enum LeafCause
{
    /// <summary>The stream waited for it.</summary>
    HeldFloor,

    /// <summary>The ring did not hear it, while the host did.</summary>
    Silent,
}
