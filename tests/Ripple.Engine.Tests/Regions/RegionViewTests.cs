using Ripple.Engine.Core;
using Ripple.Engine.Interest;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Tests.Regions;

public sealed class RegionViewTests
{
    [Fact]
    public void The_next_view_is_the_old_one_without_the_removed_and_with_the_added_in_the_order_of_slots()
    {
        var view = new RegionView(1, new ViewNumber(1, 1), Members(1, 2, 3, 5, 8));

        // Removed in any order, some of them not there.
        RegionView next = view.Next(view.Number.Next(), [8, 2, 4, 1], Members(10, 9));

        Assert.Equal([3u, 5u, 9u, 10u], next.Members.Select(m => m.Slot));
        Assert.Equal(new ViewNumber(1, 2), next.Number);
        Assert.Equal([1u, 2u, 3u, 5u, 8u], view.Members.Select(m => m.Slot));
        Assert.Empty(next.Next(next.Number.Next(), [3, 5, 9, 10], []).Members);
    }

    [Fact]
    public void Who_is_added_late_takes_the_position_of_its_slot()
    {
        var view = new RegionView(1, new ViewNumber(1, 1), Members(3, 5, 8));
        RegionView next = view.Next(view.Number.Next(), [5], Members(9, 1, 4));

        Assert.Equal([1u, 3u, 4u, 8u, 9u], next.Members.Select(m => m.Slot));
        Assert.Equal([0, 1, 2, 3, 4], next.Members.Select(m => next.PositionOf(m.Slot)));
        Assert.All([0u, 2u, 5u, 7u, 10u, uint.MaxValue], slot => Assert.Equal(-1, next.PositionOf(slot)));
        Assert.Equal(-1, new RegionView(1, new ViewNumber(1, 1), []).PositionOf(1));
    }

    [Fact]
    public void Regions_of_one_interest_differ_by_their_ordinal_and_the_first_is_named_as_ever()
    {
        var first = new RegionIdentity("east", "shop", ["ops"]);

        Assert.Equal(0u, first.Ordinal);
        Assert.Equal(first.RegionId, first.At(0).RegionId);
        RegionIdentity third = first.At(2);
        Assert.Equal(
            4, new[] { first, first.At(1), third, new RegionIdentity("east", "shop", []) }.Select(i => i.RegionId).Distinct().Count());
        Assert.Equal(first.Interest, third.Interest);
        Assert.Equal(first.RegionId, third.At(0).RegionId);
    }

    [Theory]
    [InlineData(1, 24, 1)]
    [InlineData(47, 24, 1)]
    [InlineData(48, 24, 2)]
    [InlineData(500, 24, 20)]
    [InlineData(2_400, 24, 100)]
    [InlineData(7, 3, 2)]
    [InlineData(500, 0, 1)]
    public void Parts_cover_a_view_without_a_gap_and_differ_by_one_member_at_most(int memberCount, int partMembers, int partCount)
    {
        uint[] slots = [.. Enumerable.Range(1, memberCount).Select(i => (uint)i)];
        var view = new RegionView(1, new ViewNumber(1, 1), Members(slots), partMembers);

        RegionPart[] parts = [.. Enumerable.Range(0, view.PartCount).Select(view.PartAt)];

        Assert.Equal(partCount, parts.Length);
        Assert.Equal((0, memberCount), (parts[0].First, parts[^1].End));
        Assert.All(parts.Zip(parts.Skip(1)), p => Assert.Equal(p.First.End, p.Second.First));
        Assert.True(parts.Max(p => p.End - p.First) - parts.Min(p => p.End - p.First) <= 1);
        Assert.All(Enumerable.Range(0, memberCount), i => Assert.True(view.PartOf(i).Contains(i)));
        Assert.Equal(parts, Enumerable.Range(0, memberCount).Select(view.PartOf).Distinct());
    }

    private static RegionMember[] Members(params uint[] slots) =>
        [.. slots.Select(
            s => new RegionMember(s, new NodeId(1, s), s, NodeAddress.FromIPv4(1, (ushort)s), NodeAddress.FromIPv4(1, (ushort)(s + 1))))];
}
