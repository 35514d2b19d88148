using System.Collections.Immutable;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Tests.Publishing;

/// <summary>What a rollback changes, by plain calls.</summary>
public sealed class RollbackPlanTests
{
    private static readonly Guid Id = new(1, 2, 3, new byte[8]);

    [Fact]
    public void The_changes_lead_from_the_newest_state_to_the_past_one_in_the_order_of_keys()
    {
        ReleaseState past = Past(("a", "same", KeyForm.Bytes), ("c", "old", KeyForm.Bytes), ("e.json", "{}", KeyForm.Json));
        ReleaseState newest = State(("a", "same"), ("b", "later"), ("c", "new"), ("d", "later"));
        PreparedPublish plan = RollbackPlan.Make(new Rollback(0, "shop", Id, 3, 9, "why"), past);
        KeyChange[] changes = [.. plan.ChangesOn!(newest)];
        Assert.Equal(
            [("b", KeyOperation.Remove), ("c", KeyOperation.Set), ("d", KeyOperation.Remove), ("e.json", KeyOperation.Set)],
            changes.Select(c => (c.Key, c.Operation)));
        Assert.Equal((ContentDigest.Compute("old"u8), 3), (changes[1].Digest, changes[1].Length));
        Assert.Equal(KeyForm.Json, changes[3].Form);
        Assert.Equal(["a", "c", "e.json"], Apply(newest, changes));
    }

    [Fact]
    public void A_key_whose_form_alone_differs_is_set_again()
    {
        PreparedPublish plan = RollbackPlan.Make(new Rollback(0, "shop", Id, 3, 9, ""), Past(("a", "{}", KeyForm.Json)));
        Assert.Equal([("a", KeyForm.Json)], plan.ChangesOn!(State(("a", "{}"))).Select(c => (c.Key, c.Form)));
    }

    [Fact]
    public void The_state_that_is_there_already_needs_no_change()
    {
        PreparedPublish plan = RollbackPlan.Make(new Rollback(0, "shop", Id, 3, 9, ""), Past(("a", "1", KeyForm.Bytes)));
        Assert.Empty(plan.ChangesOn!(State(("a", "1"))));
    }

    [Fact]
    public void More_changes_than_a_release_has_are_counted_no_further_and_refused()
    {
        PreparedPublish plan = RollbackPlan.Make(new Rollback(0, "shop", Id, 3, 9, ""), Many(1_001, "old"));
        ImmutableArray<KeyChange> changes = plan.ChangesOn!(Many(1_500, "new"));
        Assert.Equal(1_001, changes.Length);
        Assert.Equal(
            (ErrorCode.TooLarge,
                "Going back would change more than 1000 keys, the most of one release. Publish the past values in parts."),
            (RollbackPlan.TooManyChanges(changes)!.Code, RollbackPlan.TooManyChanges(changes)!.Text));
        Assert.Null(RollbackPlan.TooManyChanges(changes[..1_000]));
        Assert.Equal(1_000, plan.ChangesOn!(Many(1, "old")).Length);
    }

    [Fact]
    public void A_rollback_carries_no_values_and_what_its_caller_said()
    {
        PreparedPublish plan = RollbackPlan.Make(new Rollback(5, "shop", Id, 3, 9, "why"), Past(("a", "1", KeyForm.Bytes)));
        Assert.Equal(
            ("shop", Id, new ExpectedState(0, 9), "why"),
            (plan.Input.Application, plan.Input.PublishId, plan.Input.Expected, plan.Input.Note));
        Assert.Empty(plan.Bodies);
        Assert.Empty(plan.Changes);
        Assert.Empty(plan.Input.Keys);
    }

    [Fact]
    public void What_names_a_rollback_is_the_release_gone_back_to()
    {
        ReleaseState past = Past(("a", "1", KeyForm.Bytes));
        Digest160 hash = RollbackPlan.Make(new Rollback(0, "shop", Id, 3, 9, ""), past).BodyHash;
        Assert.Equal(hash, RollbackPlan.Make(new Rollback(7, "shop", Id, 3, 1, "another note"), Past()).BodyHash);
        Assert.NotEqual(hash, RollbackPlan.Make(new Rollback(0, "shop", Id, 4, 9, ""), past).BodyHash);
    }

    private static string[] Apply(ReleaseState state, KeyChange[] changes)
    {
        var keys = new SortedSet<string>(state.Keys.Keys, StringComparer.Ordinal);
        foreach (KeyChange change in changes)
        {
            _ = change.Operation == KeyOperation.Set ? keys.Add(change.Key) : keys.Remove(change.Key);
        }

        return [.. keys];
    }

    private static ReleaseState Many(int count, string value) =>
        State([.. Enumerable.Range(0, count).Select(i => ($"k{i:D4}", value))]);

    private static ReleaseState Past(params (string Key, string Value, KeyForm Form)[] keys) =>
        State([.. keys.Select(k => KeyChange.Set(k.Key, k.Form, System.Text.Encoding.UTF8.GetBytes(k.Value)))]);

    private static ReleaseState State(params (string Key, string Value)[] keys) =>
        State([.. keys.Select(k => KeyChange.Set(k.Key, KeyForm.Bytes, System.Text.Encoding.UTF8.GetBytes(k.Value)))]);

    private static ReleaseState State(KeyChange[] changes)
    {
        ReleaseState state = ReleaseState.Empty("shop");
        var header = new ReleaseHeader
        {
            Kind = ReleaseKind.Changes,
            Application = "shop",
            Generation = 1,
            Release = 1,
            SlotEpoch = 1,
            PreviousId = default,
            PublishId = Id,
            Actor = "ann",
            TimeUnixMicros = 1,
            Note = "",
            Changes = [],
            StateRoot = state.Trie.Apply(changes).Root,
        };
        Assert.True(ReleaseState.TryFromSnapshot(header, changes.Select(c => KeyValuePair.Create(c.Key, c.Entry)), out ReleaseState? made));
        return made;
    }
}
