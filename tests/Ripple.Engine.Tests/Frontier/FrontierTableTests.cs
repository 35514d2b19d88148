using Ripple.Engine.Frontier;
using Ripple.Engine.Frontier.Predicates;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Tests.Frontier;

public sealed class FrontierTableTests
{
    [Fact]
    public void Values_only_grow_within_a_generation()
    {
        FrontierTable table = Tables.OfNodes(0);
        FrontierRow row = table.Rows[0];
        Assert.True(table.Advance(row, 1, FrontierLevels.Persisted, 5, isDirect: false));
        long version = table.Version;
        Assert.False(table.Advance(row, 1, FrontierLevels.Persisted, 5, isDirect: false));
        Assert.False(table.Advance(row, 1, FrontierLevels.Persisted, 4, isDirect: false));
        Assert.Equal(5UL, row.Persisted);
        Assert.Equal(version, table.Version);
        Assert.True(table.Report(row, 1, 3, 4, 2, isDirect: false));
        Assert.Equal((3UL, 5UL, 2UL), (row.Received, row.Persisted, row.Applied));
    }

    [Fact]
    public void What_was_told_directly_counts_without_direct_too_and_not_the_other_way_round()
    {
        FrontierTable table = Tables.OfNodes(0);
        FrontierRow row = table.Rows[0];
        table.Report(row, 1, 9, 8, 7, isDirect: false);
        Assert.Equal((0UL, 0UL, 0UL), (row.DirectReceived, row.DirectPersisted, row.DirectApplied));
        Assert.True(table.Report(row, 1, 10, 8, 6, isDirect: true));
        Assert.Equal((10UL, 8UL, 7UL), (row.Received, row.Persisted, row.Applied));
        Assert.Equal((10UL, 8UL, 6UL), (row.DirectReceived, row.DirectPersisted, row.DirectApplied));
    }

    [Fact]
    public void Reports_of_any_generation_but_the_tables_change_nothing()
    {
        FrontierTable table = Tables.OfNodes(7);
        FrontierRow row = table.Rows[0];
        table.Reject(row, 1, 8, "no", isDirect: false);
        foreach (uint generation in (uint[])[0, 2, uint.MaxValue])
        {
            Assert.False(table.Advance(row, generation, FrontierLevels.Received, 9, isDirect: false));
            Assert.False(table.Report(row, generation, 9, 9, 9, isDirect: true));
            Assert.False(table.Reject(row, generation, 9, "of another", isDirect: true));
        }

        Assert.Equal((1u, 7UL, 7UL), (row.Generation, row.Received, row.Applied));
        Assert.Equal([8UL], row.Rejections.Select(r => r.Release));
        Assert.True(table.BeginGeneration(2));
        Assert.Empty(row.Rejections);
        Assert.False(table.Report(row, 1, 9, 9, 9, isDirect: true));
        Assert.Equal((2u, 0UL), (row.Generation, row.Received));
        Assert.False(table.BeginGeneration(2));
    }

    [Fact]
    public void What_a_ring_says_touches_neither_direct_values_nor_direct_rejections()
    {
        FrontierTable table = Tables.OfNodes(0);
        FrontierRow row = table.Rows[0];
        table.Report(row, 1, 7, 7, 7, isDirect: true);
        table.Reject(row, 1, 8, "its own reason", isDirect: true);

        table.Report(row, uint.MaxValue, 1_000, 1_000, 1_000, isDirect: false);
        table.Report(row, 1, 9, 9, 9, isDirect: false);
        Assert.False(table.Reject(row, 1, 8, "its own reason, and a lie", isDirect: false));
        for (ulong release = 10; release < 10 + (2 * FrontierRow.RejectionsMax); release++)
        {
            table.Reject(row, 1, release, "a lie", isDirect: false);
        }

        Assert.Equal((7UL, 7UL, 7UL), (row.DirectReceived, row.DirectPersisted, row.DirectApplied));
        Assert.Equal([new FrontierRejection(8, "its own reason")], row.DirectRejections);
        Assert.Equal("its own reason", row.FindRejection(8, isDirect: false)?.Reason);
        Assert.Null(row.FindRejection(100, isDirect: true));
    }

    [Fact]
    public void The_members_own_reason_takes_the_place_of_a_rings()
    {
        FrontierTable table = Tables.OfNodes(0);
        FrontierRow row = table.Rows[0];
        table.Reject(row, 1, 8, "what a ring said", isDirect: false);

        Assert.True(table.Reject(row, 1, 8, "the truth", isDirect: true));
        Assert.False(table.Reject(row, 1, 8, "the truth", isDirect: true));
        Assert.Equal("the truth", Assert.Single(row.Rejections).Reason);
    }

    [Fact]
    public void A_new_generation_of_the_table_starts_older_rows_over()
    {
        FrontierTable table = Tables.OfNodes(7, 8);
        BoundPredicate bound = Tables.Bind(table, "MIN($ALL)");
        Assert.Equal(7UL, bound.Evaluate());
        table.BeginGeneration(4);
        Assert.Equal(0UL, bound.Evaluate());
        Assert.All(table.Rows, row => Assert.Equal((4u, 0UL), (row.Generation, row.Received)));
    }

    [Fact]
    public void Rejections_are_bounded_and_the_lowest_release_is_forgotten_first()
    {
        FrontierTable table = Tables.OfNodes(0);
        FrontierRow row = table.Rows[0];
        for (ulong release = 100; release > 0; release--)
        {
            table.Reject(row, 1, release, "r", isDirect: false);
        }

        Assert.Equal(FrontierRow.RejectionsMax, row.Rejections.Count);
        Assert.Equal(37UL, row.Rejections[0].Release);
        Assert.Equal(100UL, row.Rejections[^1].Release);
        Assert.True(table.Reject(row, 1, 101, "r", isDirect: false));
        Assert.Equal(38UL, row.Rejections[0].Release);
        Assert.False(table.Reject(row, 1, 101, "another reason", isDirect: false));
        Assert.Equal("r", row.Rejections[^1].Reason);
    }

    [Fact]
    public void A_reason_that_came_cut_is_completed_and_no_other_replaces_it()
    {
        FrontierTable table = Tables.OfNodes(0);
        FrontierRow row = table.Rows[0];
        table.Reject(row, 1, 5, "Port must", isDirect: false);

        Assert.False(table.Reject(row, 1, 5, "Port must be 1 to 65535", isDirect: false));
        Assert.Equal("Port must be 1 to 65535", row.Rejections[0].Reason);

        table.Reject(row, 1, 5, "Port must", isDirect: false);
        table.Reject(row, 1, 5, "Something else that is longer than that", isDirect: false);
        Assert.Equal("Port must be 1 to 65535", Assert.Single(row.Rejections).Reason);
    }

    [Fact]
    public void A_long_reason_is_cut_between_characters()
    {
        FrontierTable table = Tables.OfNodes(0);
        string reason = new string('x', FrontierRow.ReasonCharsMax - 1) + "\U0001F600";
        table.Reject(table.Rows[0], 1, 1, reason, isDirect: false);
        Assert.Equal(new string('x', FrontierRow.ReasonCharsMax - 1), table.Rows[0].Rejections[0].Reason);
    }

    [Fact]
    public void Left_and_failed_are_final_and_reports_of_the_gone_are_ignored()
    {
        FrontierTable table = Tables.OfNodes(1, 1);
        Assert.True(table.SetStatus(table.Rows[0], MemberStatus.Silent));
        Assert.True(table.SetStatus(table.Rows[0], MemberStatus.Present));
        Assert.True(table.SetStatus(table.Rows[0], MemberStatus.Failed));
        Assert.False(table.SetStatus(table.Rows[0], MemberStatus.Present));
        Assert.False(table.Advance(table.Rows[0], 1, FrontierLevels.Applied, 9, isDirect: true));
        Assert.False(table.Reject(table.Rows[0], 1, 9, "no", isDirect: false));
        Assert.Single(table.CurrentMembers());
    }

    [Fact]
    public void Rows_stand_by_node_and_incarnation_and_the_table_is_bounded()
    {
        FrontierTable table = new("a", 1, membersMax: 3);
        foreach (ulong id in new ulong[] { 5, 1, 3 })
        {
            Tables.Add(table, id, $"n{id}");
        }

        Assert.Equal(["n1", "n3", "n5"], table.Rows.Select(row => row.Member.Name));
        Assert.False(table.TryAdd(Tables.Member(9, "n9"), out FrontierRow? none));
        Assert.Null(none);
        Assert.True(table.TryAdd(Tables.Member(3, "renamed"), out FrontierRow? renamed));
        Assert.Same(table.Find(new NodeId(0, 3), 1), renamed);
        Assert.Equal("renamed", table.Rows[1].Member.Name);
        Assert.True(table.Remove(renamed));
        Assert.False(table.Remove(renamed));
        Assert.Equal(MemberStatus.Left, renamed.Status);
        Assert.Null(table.Find(new NodeId(0, 3), 1));
    }

    [Fact]
    public void A_level_that_does_not_exist_is_no_index()
    {
        FrontierTable table = Tables.OfNodes(1);
        Assert.Throws<ArgumentOutOfRangeException>(() => table.Advance(table.Rows[0], 1, FrontierLevels.Applied + 1, 9, isDirect: false));
        Assert.Throws<ArgumentOutOfRangeException>(() => table.Advance(table.Rows[0], 1, -1, 9, isDirect: false));
        Assert.Equal(
            "There is no level 'verified'. There are received, persisted, applied.",
            Tables.BindError(table, "MIN($ALL.verified)").Message);
    }
}
