using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Core;

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
