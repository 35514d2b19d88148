using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

public sealed class ReleaseStateTests
{
    [Fact]
    public void Releases_apply_in_order_and_the_key_table_follows()
    {
        var state = ReleaseState.Empty("shop");
        state = Apply(state, Headers.First(Headers.Set("b", "1"), Headers.Set("a", "2")));
        Assert.Equal(["a", "b"], state.Keys.Keys);
        state = Apply(state, Headers.After(state, KeyChange.Remove("a"), Headers.Set("c", "3")));
        Assert.Equal(["b", "c"], state.Keys.Keys);
        Assert.Equal(2UL, state.Release);
        Assert.Equal(1u, state.Generation);
        Assert.Equal(Headers.Set("c", "3").Entry, state.Keys["c"]);
    }

    [Fact]
    public void What_does_not_follow_says_why_and_changes_nothing()
    {
        ReleaseState one = Apply(ReleaseState.Empty("shop"), Headers.First(Headers.Set("a", "1")));
        ReleaseHeader second = Headers.After(one, Headers.Set("b", "2"));
        ReleaseState two = Apply(one, second);
        ReleaseHeader third = Headers.After(two, Headers.Set("c", "2"));

        Expect(ApplyStatus.AlreadyApplied, two, second);
        Expect(ApplyStatus.TooEarly, one, third);
        Expect(ApplyStatus.WrongRelease, two, Headers.First(Headers.Set("a", "1")));
        Expect(ApplyStatus.WrongRelease, two, Headers.After(one, Headers.Set("b", "other")));
        Expect(ApplyStatus.WrongApplication, ReleaseState.Empty("other"), second);
        Expect(ApplyStatus.WrongPrevious, two, Headers.Make(release: 3, previousId: one.Id, stateRoot: two.Trie.Root));
        Expect(ApplyStatus.WrongGeneration, two, Headers.Make(release: 3, generation: 2, previousId: two.Id, stateRoot: two.Trie.Root));
        Expect(
            ApplyStatus.WrongGeneration,
            two,
            Headers.Make(ReleaseKind.Creation, release: 3, generation: 1, previousId: two.Id, stateRoot: two.Trie.Root));
        Expect(ApplyStatus.RootMismatch, two, Headers.Make(release: 3, previousId: two.Id, stateRoot: one.Trie.Root));
    }

    [Fact]
    public void A_trie_that_was_made_before_is_taken_if_it_is_the_one_that_the_header_names()
    {
        ReleaseState one = Apply(ReleaseState.Empty("shop"), Headers.First(Headers.Set("a", "1")));
        ReleaseHeader second = Headers.After(one, Headers.Set("b", "2"));
        StateTrie made = one.Trie.Apply(second.Changes);

        Assert.Equal(ApplyStatus.Applied, one.Apply(second, made, out ReleaseState two));
        Assert.Same(made, two.Trie);
        Assert.True(two.IsSame(Apply(one, second)));
        Assert.Equal(ApplyStatus.RootMismatch, one.Apply(second, one.Trie, out ReleaseState same));
        Assert.Same(one, same);
    }

    [Fact]
    public void A_restore_begins_a_generation_and_goes_on_counting()
    {
        ReleaseState one = Apply(ReleaseState.Empty("shop"), Headers.First(Headers.Set("a", "1")));
        ReleaseState two = Apply(
            one, Headers.Make(ReleaseKind.Creation, release: 2, generation: 3, previousId: one.Id, stateRoot: one.Trie.Root));
        Assert.Equal(3u, two.Generation);
        Assert.Equal(2UL, two.Release);
        Assert.Equal(one.Keys.Keys, two.Keys.Keys);
    }

    [Fact]
    public void A_snapshot_is_checked_against_the_newest_header_alone()
    {
        ReleaseState one = Apply(ReleaseState.Empty("shop"), Headers.First(Headers.Set("a", "1"), Headers.Set("b", "2")));
        ReleaseHeader second = Headers.After(one, Headers.Set("c", "3"));
        ReleaseState two = Apply(one, second);
        Assert.True(ReleaseState.TryFromSnapshot(second, two.Keys.Reverse(), out ReleaseState? copy));
        Assert.Equal(two.Id, copy.Id);
        Assert.Equal(two.Keys.Keys, copy.Keys.Keys);
        Assert.False(ReleaseState.TryFromSnapshot(second, one.Keys, out _));
        Assert.False(ReleaseState.TryFromSnapshot(second, two.Keys.Concat(one.Keys), out _));
    }

    [Fact]
    public void Two_nodes_that_chain_the_same_headers_have_the_same_state()
    {
        var random = new Random(30);
        ReleaseState state = Apply(ReleaseState.Empty("shop"), Headers.First());
        for (int i = 0; i < 200; i++)
        {
            SortedDictionary<string, KeyChange> changes = new(KeyOrder.Instance);
            for (int c = random.Next(4); c >= 0; c--)
            {
                string key = "k" + random.Next(30);
                changes[key] = random.Next(3) == 0 ? KeyChange.Remove(key) : Headers.Set(key, "v" + random.Next(5));
            }

            ReleaseHeader header = Headers.After(state, [.. changes.Values]);
            Assert.True(ReleaseHeader.TryDecode(header.Encode(), out ReleaseHeader? received));
            ReleaseState other = Apply(state, received);
            state = Apply(state, header);
            Assert.Equal(state.Trie.Root, other.Trie.Root);
            Assert.Equal(state.Keys.Count, state.Trie.Count);
            Assert.True(ReleaseState.TryFromSnapshot(header, state.Keys, out _));
        }
    }

    private static ReleaseState Apply(ReleaseState state, ReleaseHeader header)
    {
        Assert.Equal(ApplyStatus.Applied, state.Apply(header, out ReleaseState next));
        return next;
    }

    private static void Expect(ApplyStatus status, ReleaseState state, ReleaseHeader header)
    {
        Assert.Equal(status, state.Apply(header, out ReleaseState next));
        Assert.Same(state, next);
    }
}
