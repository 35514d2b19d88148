using System.Collections.Immutable;

namespace Ripple.Engine.Regions;

/// <summary>
/// The members of a region at one moment: numbered and immutable. Members are in slot order, which is the order of the ring; the first is
/// its leader. The host that sends to the region is not a member: its slot is 0.
/// </summary>
internal sealed class RegionView
{
    /// <summary>Creates a view; the members need not be sorted.</summary>
    public RegionView(ulong regionId, ViewNumber number, IEnumerable<RegionMember> members)
    {
        RegionId = regionId;
        Number = number;
        Members = [.. members.OrderBy(m => m.Slot)];
    }

    private RegionView(ulong regionId, ViewNumber number, ImmutableArray<RegionMember> members)
    {
        RegionId = regionId;
        Number = number;
        Members = members;
    }

    /// <summary>The region.</summary>
    public ulong RegionId { get; }

    /// <summary>The view's number.</summary>
    public ViewNumber Number { get; }

    /// <summary>The members by slot; a member's index here is its ring position.</summary>
    public ImmutableArray<RegionMember> Members { get; }

    /// <summary>The ring position of a slot; -1 when it is not a member's.</summary>
    public int PositionOf(uint slot)
    {
        int low = 0;
        int high = Members.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            uint other = Members[middle].Slot;
            if (other == slot)
            {
                return middle;
            }

            if (other < slot)
            {
                low = middle + 1;
            }
            else
            {
                high = middle - 1;
            }
        }

        return -1;
    }

    /// <summary>The next view: without the removed slots, with the added members, whose slots are of no member that stays.</summary>
    public RegionView Next(ViewNumber number, IReadOnlyCollection<uint> removedSlots, IReadOnlyCollection<RegionMember> added)
    {
        ImmutableArray<RegionMember>.Builder members = ImmutableArray.CreateBuilder<RegionMember>(Members.Length + added.Count);
        if (removedSlots.Count == 0)
        {
            members.AddRange(Members);
        }
        else
        {
            // Both are in slot order, so that one pass suffices, however many are removed.
            uint[] removed = [.. removedSlots.Order()];
            int next = 0;
            foreach (RegionMember member in Members)
            {
                while (next < removed.Length && removed[next] < member.Slot)
                {
                    next++;
                }

                if (next == removed.Length || removed[next] != member.Slot)
                {
                    members.Add(member);
                }
            }
        }

        // Mostly newer than all others; but a member that was reached late has an older slot.
        members.AddRange(added);
        members.Sort(static (one, other) => one.Slot.CompareTo(other.Slot));
        return new RegionView(RegionId, number, members.ToImmutable());
    }
}
