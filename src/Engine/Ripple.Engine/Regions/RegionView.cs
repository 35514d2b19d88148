using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Core;

namespace Ripple.Engine.Regions;

/// <summary>
/// The members of a region at one moment: numbered and immutable. Members are in slot order. A view is cut into parts (QSM 2: partitions):
/// each is a ring of consecutive positions, led by the first of them. The host that sends to the region is not a member: its slot is 0.
/// </summary>
internal sealed class RegionView
{
    /// <summary>Creates a view; the members need not be sorted.</summary>
    /// <param name="regionId">The region.</param>
    /// <param name="number">The view's number.</param>
    /// <param name="members">The members.</param>
    /// <param name="partMembers">The fewest members of a part; 0 for one ring, however many members there are.</param>
    public RegionView(ulong regionId, ViewNumber number, IEnumerable<RegionMember> members, int partMembers = 0)
        : this(regionId, number, [.. members.OrderBy(m => m.Slot)], partMembers)
    {
    }

    private RegionView(ulong regionId, ViewNumber number, ImmutableArray<RegionMember> members, int partMembers)
    {
        RegionId = regionId;
        Number = number;
        Members = members;
        PartMembers = partMembers;
        PartCount = partMembers == 0 ? 1 : Math.Max(1, members.Length / partMembers);
    }

    /// <summary>The region.</summary>
    public ulong RegionId { get; }

    /// <summary>The view's number.</summary>
    public ViewNumber Number { get; }

    /// <summary>The members by slot; a member's index here is its position.</summary>
    public ImmutableArray<RegionMember> Members { get; }

    /// <summary>The fewest members of a part; 0 when the view is one ring.</summary>
    public int PartMembers { get; }

    /// <summary>How many parts the view has; at least one.</summary>
    public int PartCount { get; }

    /// <summary>A part: their sizes differ by one at most.</summary>
    public RegionPart PartAt(int index) => new(
        index, (int)((long)index * Members.Length / PartCount), (int)(((long)index + 1) * Members.Length / PartCount));

    /// <summary>The part of a position of this view.</summary>
    public RegionPart PartOf(int position) => PartAt((int)(((((long)position + 1) * PartCount) - 1) / Members.Length));

    /// <summary>The same view, cut into parts of another size.</summary>
    public RegionView Cut(int partMembers) =>
        partMembers == PartMembers ? this : new RegionView(RegionId, Number, Members, partMembers);

    /// <summary>The position of a slot; -1 when it is not a member's.</summary>
    public int PositionOf(uint slot)
    {
        if (Members.IsEmpty || slot < Members[0].Slot)
        {
            return -1;
        }

        // Nobody is further back than its slot is behind the first one's. While nobody has left, a member is just there: one look, where
        // halving takes nine among 500, at memory that is rarely in the cache where many nodes share a core.
        int low = 0;
        int high = (int)Math.Min((uint)Members.Length - 1, slot - Members[0].Slot);
        for (int middle = high; low <= high; middle = (low + high) / 2)
        {
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
    public RegionView Next(ViewNumber number, IReadOnlyCollection<uint> removedSlots, IReadOnlyCollection<RegionMember> added) =>
        Next(number, removedSlots, added, PartMembers);

    /// <inheritdoc cref="Next(ViewNumber, IReadOnlyCollection{uint}, IReadOnlyCollection{RegionMember})"/>
    public RegionView Next(
        ViewNumber number, IReadOnlyCollection<uint> removedSlots, IReadOnlyCollection<RegionMember> added, int partMembers)
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
        return new RegionView(RegionId, number, members.ToImmutable(), partMembers);
    }
}

/// <summary>A slice of a view's positions, which is a ring of its own. The first position leads it.</summary>
/// <param name="Index">Its number in the view, from 0.</param>
/// <param name="First">Its first position.</param>
/// <param name="End">The position behind its last one.</param>
internal readonly record struct RegionPart(int Index, int First, int End)
{
    /// <summary>True when a position belongs to it.</summary>
    public bool Contains(int position) => position >= First && position < End;
}

/// <summary>One member of a region view.</summary>
/// <param name="Slot">Its member slot: its number in nonces, assigned to one incarnation only.</param>
/// <param name="Node">Its node.</param>
/// <param name="Incarnation">Its incarnation: a new one for each join, never reused in the cluster.</param>
/// <param name="DataAddress">The address for data and repairs.</param>
/// <param name="ControlAddress">The address for tokens and requests for repair.</param>
internal sealed record RegionMember(uint Slot, NodeId Node, ulong Incarnation, NodeAddress DataAddress, NodeAddress ControlAddress);

/// <summary>The number of a region view: the owner's slot epoch, persisted before use, followed by a counter. Only grows.</summary>
/// <param name="Value">Epoch in the upper half, counter in the lower.</param>
internal readonly record struct ViewNumber(ulong Value) : IComparable<ViewNumber>
{
    /// <summary>Creates a number from its parts.</summary>
    public ViewNumber(uint slotEpoch, uint counter)
        : this(((ulong)slotEpoch << 32) | counter)
    {
    }

    /// <summary>The slot epoch of the primary that made the view.</summary>
    public uint SlotEpoch => (uint)(Value >> 32);

    /// <summary>The view's counter in that epoch.</summary>
    public uint Counter => (uint)Value;

    /// <summary>The next view of the same epoch.</summary>
    public ViewNumber Next() => new(SlotEpoch, checked(Counter + 1));

    /// <inheritdoc/>
    public int CompareTo(ViewNumber other) => Value.CompareTo(other.Value);

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{SlotEpoch}.{Counter}");
}
