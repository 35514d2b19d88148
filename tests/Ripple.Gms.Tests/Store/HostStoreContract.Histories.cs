using Ripple.Engine.Releases;
using Ripple.Gms.Store;
using Ripple.Testing.Disks;

namespace Ripple.Gms.Tests.Store;

/// <content>A history that is shortened has the same states, releases and values from its oldest release on, and nothing before.</content>
public abstract partial class HostStoreContract
{
    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 1)]
    [InlineData(17, 5)]
    [InlineData(40, 8)]
    public void What_is_kept_of_a_history_is_as_it_was_and_the_rest_is_gone(int keptFrom, int step)
    {
        var states = new List<ReleaseState>();
        var records = new List<byte[]>();
        using (IHostStore store = Open())
        {
            CreateShop(store);
            ReleaseState shop = ReleaseState.Empty("shop");
            var random = new Random(5);
            string[] names = ["a", "b", "\U0001F600", "\uE000", "é", "z"];
            for (int i = 0; i < 40; i++)
            {
                // Each key comes back with values that it or another had before, and goes now and then.
                var changes = Enumerable.Range(0, random.Next(1, 4)).Select(_ => names[random.Next(names.Length)]).Distinct();
                StoredRelease release = Next(ref shop, 1, [(byte)i], [.. changes.Select(
                    key => (key, random.Next(3) == 0 ? null : "v" + random.Next(9)))]);
                Must(store, new() { Releases = [release] });
                states.Add(shop);
                records.Add(release.Header.Encode());
            }

            for (int from = 1; from < keptFrom; from += step)
            {
                Prune(store, (ulong)from);
            }

            Prune(store, (ulong)keptFrom);
            Compare(store);
        }

        using IHostStore again = Open();
        Compare(again);

        void Compare(IHostStore store)
        {
            StoredApplication application = store.Load().Applications[0];
            Assert.Equal((ulong)keptFrom, application.HistoryFrom);
            Assert.Equal(states[^1].Keys.Select(k => k.Key), application.Keys.Select(k => k.Key));
            var kept = new HashSet<Digest160>();
            foreach (ReleaseState expected in states)
            {
                ReleaseState? state = Read<ReleaseState?>(d => store.ReadState(1, expected.Release, d));
                if (expected.Release < (ulong)keptFrom)
                {
                    Assert.Null(state);
                }
                else
                {
                    Assert.Equal(expected.Keys, state!.Keys);
                    kept.UnionWith(expected.Keys.Values.Select(k => k.Digest));
                }
            }

            ulong[] there = [.. Enumerable.Range(keptFrom, 40 - keptFrom + 1).Select(r => (ulong)r)];
            IReadOnlyList<ReleaseRecord> all = Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadReleases(1, 0, int.MaxValue, d));
            Assert.Equal(there, all.Select(r => r.Release));
            Assert.All(all, r => Assert.Equal(records[(int)r.Release - 1], r.Header.ToArray()));
            Assert.All(all, r => Assert.Equal([(byte)(r.Release - 1)], r.Signature.ToArray()));
            Assert.Equal(
                there.Reverse(),
                Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadHistory(1, ulong.MaxValue, 100, d)).Select(r => r.Release));
            foreach (Digest160 digest in states.SelectMany(s => s.Keys.Values).Select(k => k.Digest).Distinct())
            {
                Assert.Equal(kept.Contains(digest), Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(1, digest, d)) is not null);
            }
        }
    }

    [Fact]
    public void A_value_that_went_with_one_history_stays_for_another_application_and_comes_again()
    {
        using IHostStore store = Open();
        Must(store, new() { Applications = [new(1, "shop", 1), new(2, "other", 1)] });
        ReleaseState shop = ReleaseState.Empty("shop");
        ReleaseState other = ReleaseState.Empty("other");
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "both"), ("b", "mine")])] });
        Must(store, new() { Releases = [Next(ref other, 2, null, [("x", "both")])] });
        Digest160 both = shop.Keys["a"].Digest;
        Digest160 mine = shop.Keys["b"].Digest;
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "newer"), ("b", null)])] });
        Prune(store, 2);
        Assert.Null(Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(1, both, d)));
        Assert.NotNull(Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(2, both, d)));
        Assert.Null(Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(1, mine, d)));

        // What a publish names without bringing it must be there; what is gone must be brought again.
        ReleaseState before = shop;
        StoredRelease again = Next(ref shop, 1, null, [("b", "mine")]);
        Refused(store, new() { Releases = [again with { Bodies = [] }] }, "neither in the store nor in the batch");
        shop = before;
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("b", "mine")])] });
        Assert.NotNull(Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(1, mine, d)));
    }

    [Fact]
    public void A_publish_is_known_after_its_release_went()
    {
        using (IHostStore store = Open(new() { PublishHorizonCount = 5 }))
        {
            CreateShop(store);
            ReleaseState shop = ReleaseState.Empty("shop");
            for (int i = 0; i < 8; i++)
            {
                Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", $"v{i}")])] });
            }

            Prune(store, 7);
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "v8")])] });
            Prune(store, 9);
        }

        using IHostStore again = Open(new() { PublishHorizonCount = 5 });
        IReadOnlyList<StoredPublish> publishes = again.Load().Applications[0].RecentPublishes;
        Assert.Equal([5UL, 6UL, 7UL, 8UL, 9UL], publishes.Select(p => p.Release));
        Assert.Equal(PublishId(5), publishes[0].PublishId);
        Assert.Equal(Digest160.Hash("publish"u8, default), publishes[0].BodyHash);
        Assert.False(publishes[0].Id.IsZero);
    }

    [Fact]
    public void A_history_is_shortened_only_to_a_release_that_is_there()
    {
        using IHostStore store = Open();
        CreateShop(store);
        Refused(store, new() { Prunings = [new(1, 1)] }, "Name one of them");
        ReleaseState shop = ReleaseState.Empty("shop");
        for (int i = 0; i < 4; i++)
        {
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", $"v{i}")])] });
        }

        Refused(store, new() { Prunings = [new(1, 0)] }, "from release 0 on");
        Refused(store, new() { Prunings = [new(1, ulong.MaxValue)] }, "cannot be kept from release");
        Refused(store, new() { Prunings = [new(9, 1)] }, "no application with topic 9");
        Refused(store, new() { Prunings = [new(1, 5)] }, "releases 1 to 4 are there");
        Prune(store, 3);
        Prune(store, 3);
        Refused(store, new() { Prunings = [new(1, 2)] }, "releases 3 to 4 are there");
        // All or nothing, as everything.
        Refused(store, new() { Prunings = [new(1, 4), new(1, 3)] }, "releases 4 to 4 are there");
        Assert.Equal(3UL, store.Load().Applications[0].HistoryFrom);
        Assert.NotNull(Read<ReleaseState?>(d => store.ReadState(1, 3, d)));
        Assert.Equal(StoreStatus.Done, Commit(store, new() { Releases = [Next(ref shop, 1, null, [("a", null)])] }).Status);
        Prune(store, 5);
        Assert.Empty(Read<ReleaseState?>(d => store.ReadState(1, 5, d))!.Keys);
    }

    [Fact]
    public void A_mark_that_names_a_release_which_went_does_not_make_its_store_a_copy()
    {
        object before = Begin(Release("1"), isCopied: true);
        Append(Release("2"));
        Append(Release("3"));
        using (IHostStore store = Open())
        {
            Prune(store, 3);
        }

        object after = CopyAll();
        // The host died before it wrote its mark.
        PutBack(before, MarkFate.Copied);
        PutBack(after, MarkFate.Kept);
        using IHostStore again = Open();
        Assert.Null(again.Load().Copy);
    }

    private protected void Prune(IHostStore store, ulong keptFrom) => Must(store, new() { Prunings = [new HistoryPruning(1, keptFrom)] });
}
