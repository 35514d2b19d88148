using Ripple.Engine.Memory;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Regions;

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
