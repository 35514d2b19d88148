using System.Collections.Concurrent;
using System.Text;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Store;

/// <summary>What every store must do, whatever it is made of.</summary>
public abstract partial class HostStoreContract
{
    private static readonly Guid Cluster = new("11111111-2222-3333-4444-555555555555");

    /// <summary>Opens the same store again and again; what was opened before is disposed by the test.</summary>
    private protected abstract IHostStore Open(HostStoreOptions? options = null);

    /// <summary>Asks, and waits or steps until the answer is there.</summary>
    protected abstract T Ask<T>(Func<Action<T>, bool> ask);

    /// <summary>Makes the closed store one of a later format.</summary>
    protected abstract void WriteFormat(int version);

    /// <summary>Makes the next commit of an open store meet a failing disk.</summary>
    protected abstract void BreakDisk();

    [Fact]
    public void A_new_store_is_empty()
    {
        using IHostStore store = Open();
        HostState state = store.Load();
        Assert.Equal(StoreSchema.FormatVersion, state.FormatVersion);
        Assert.Null(state.ClusterId);
        Assert.Equal(0u, state.SlotEpoch);
        Assert.Empty(state.Applications);
        Assert.Empty(state.Tokens);
        Assert.Equal(0, state.TokensVersion);
        Assert.False(store.IsBroken);
    }

    [Fact]
    public void What_was_committed_is_there_after_opening_again()
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        using (IHostStore store = Open())
        {
            Must(store, new()
            {
                ClusterId = Cluster,
                SlotEpoch = 3,
                Applications = [new(1, "shop", 1), new(2, "other", 1)],
                Audit = [new(5, "ann", "application.create", "shop", null, "é\U0001F600")],
            });
            Must(store, new() { Releases = [Next(ref shop, 1, signature: [9, 8], [("b", "2"), ("a", "1"), ("empty", "")])] });
            Must(store, new() { Releases = [Next(ref shop, 1, signature: null, [("b", null), ("c", "1")])] });
        }

        using IHostStore again = Open();
        HostState state = again.Load();
        Assert.Equal(Cluster, state.ClusterId);
        Assert.Equal(3u, state.SlotEpoch);
        Assert.Equal(["shop", "other"], state.Applications.Select(a => a.Name));
        StoredApplication application = state.Applications[0];
        Assert.Equal(shop.Id, application.Newest!.Id);
        Assert.True(application.NewestSignature.IsEmpty);
        Assert.Equal(["a", "c", "empty"], application.Keys.Select(k => k.Key));
        Assert.Equal([1UL, 2UL, 1UL], application.Keys.Select(k => k.Release));
        Assert.True(
            ReleaseState.TryFromSnapshot(application.Newest, application.Keys.Select(k => KeyValuePair.Create(k.Key, k.Entry)), out _));
        Assert.Equal([1UL, 2UL], application.RecentPublishes.Select(p => p.Release));
        StoredPublish publish = application.RecentPublishes[0];
        Assert.Equal(PublishId(1), publish.PublishId);
        Assert.Equal(Digest160.Hash("publish"u8, default), publish.BodyHash);
        Assert.Equal(1u, publish.Generation);
        Assert.False(publish.Id.IsZero);
        Assert.Equal("ann", publish.Actor);
        Assert.Equal(1_000_001, publish.TimeUnixMicros);
        Assert.Null(state.Applications[1].Newest);
        AuditRecord audit = Assert.Single(Read<IReadOnlyList<AuditRecord>>(d => again.ReadAudit(null, long.MaxValue, 10, d)));
        Assert.Equal(new(5, "ann", "application.create", "shop", null, "é\U0001F600"), audit.Entry);
    }

    [Fact]
    public void Recent_publishes_end_at_the_horizon()
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        using (IHostStore store = Open())
        {
            CreateShop(store);
            for (int i = 0; i < 8; i++)
            {
                Must(
                    store,
                    new() { Releases = [Next(ref shop, 1, null, [("a", i.ToString(System.Globalization.CultureInfo.InvariantCulture))])] });
            }
        }

        using IHostStore again = Open(new() { PublishHorizonCount = 3 });
        Assert.Equal([6UL, 7UL, 8UL], again.Load().Applications[0].RecentPublishes.Select(p => p.Release));
    }

    [Fact]
    public void Commits_are_told_in_order_and_a_refused_one_does_not_hold_up_the_others()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        var told = new ConcurrentQueue<(int Index, StoreStatus Status)>();
        const int Count = 60;
        for (int i = 0; i < Count; i++)
        {
            int index = i;
            CommitBatch batch = i % 10 == 5
                ? new() { SlotEpoch = 0, Audit = [new(0, "nobody", "must.not.stay", null, null, "")] }
                : new() { Releases = [Next(ref shop, 1, null, [("k" + (i % 7), "v" + i)])] };
            Assert.True(store.Commit(batch, r => told.Enqueue((index, r.Status))));
        }

        Assert.Equal(StoreStatus.Done, Commit(store, new() { Audit = [new(0, "ann", "last", null, null, "")] }).Status);
        Assert.Equal(Enumerable.Range(0, Count), told.Select(t => t.Index));
        Assert.All(told, t => Assert.Equal(t.Index % 10 == 5 ? StoreStatus.Refused : StoreStatus.Done, t.Status));
        ReleaseState state = Read<ReleaseState?>(d => store.ReadState(1, 0, d))!;
        Assert.True(shop.IsSame(state));
        Assert.Equal(shop.Keys, state.Keys);
        Assert.Equal(
            "last", Assert.Single(Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, long.MaxValue, 10, d))).Entry.Action);
    }

    [Fact]
    public void A_batch_is_all_or_none()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        StoredRelease first = Next(ref shop, 1, null, [("a", "1")]);
        ReleaseState fork = shop;
        StoredRelease second = Next(ref shop, 1, null, [("a", "2")]);
        StoredRelease third = Next(ref shop, 1, null, [("a", "3")]);
        CommitResult result = Commit(store, new()
        {
            SlotEpoch = 9,
            Applications = [new(2, "x", 1)],
            Releases = [first, third],
            Audit = [new(0, "a", "b", null, null, "")],
        });
        Assert.Equal(StoreStatus.Refused, result.Status);
        Assert.Contains("does not follow release 1", result.Reason, StringComparison.Ordinal);
        HostState state = store.Load();
        Assert.Equal(0u, state.SlotEpoch);
        Assert.Null(Assert.Single(state.Applications).Newest);
        Assert.Empty(Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, long.MaxValue, 10, d)));
        Must(store, new() { Releases = [first, second, third] });
        Refused(store, new() { Releases = [Next(ref fork, 1, null, [("a", "other")])] }, "does not follow release 3");
    }

    [Fact]
    public void What_only_grows_only_grows()
    {
        using IHostStore store = Open();
        Must(store, new() { ClusterId = Cluster, SlotEpoch = 5, Applications = [new(1, "shop", 2)] });
        Must(store, new() { ClusterId = Cluster });
        Refused(store, new() { ClusterId = Guid.Empty }, "belongs to cluster");
        Refused(store, new() { SlotEpoch = 5 }, "slot_epoch is 5");
        Refused(store, new() { SlotEpoch = 4 }, "slot_epoch is 5");
        Must(store, new() { GenerationMin = 3 });
        Refused(store, new() { GenerationMin = 3 }, "generation_min is 3");
        ReleaseState shop = ReleaseState.Empty("shop");
        Refused(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1")])] }, "application is at 3");
        Assert.Equal(3u, store.Load().Applications[0].Generation);
    }

    [Fact]
    public void A_release_of_a_new_generation_raises_the_application()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1")]), Next(ref shop, 1, null, [("b", "1")], generation: 4)] });
        Assert.Equal(4u, store.Load().Applications[0].Generation);
        Assert.Equal([1u, 4u], store.Load().Applications[0].RecentPublishes.Select(p => p.Generation));
    }

    [Fact]
    public void What_names_something_missing_or_twice_is_refused()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        StoredRelease release = Next(ref shop, 1, null, [("a", "1")]);
        Refused(store, new() { Releases = [release with { Topic = 4 }] }, "no application with topic 4");
        Refused(store, new() { Releases = [release with { Bodies = [] }] }, "neither in the store nor in the batch");
        Refused(store, new() { Releases = [release with { Bodies = [new(default, "x"u8.ToArray())] }] }, "is not a value");
        Refused(store, new() { Releases = [release with { Signature = new byte[1025] }] }, "signature block");
        Refused(store, new() { Applications = [new(1, "new", 1)] }, "'shop' with topic 1 already");
        Refused(store, new() { Applications = [new(2, "shop", 1)] }, "'shop' with topic 1 already");
        Refused(store, new() { Applications = [new(0, "new", 1)] }, "count from 1");
        Refused(store, new() { Applications = [new(2, "New", 1)] }, "'N'");
        Refused(store, new() { Audit = [new(0, "a", "b", null, null, new string('x', 4097))] }, "4097");
        Refused(store, new() { Audit = [new(0, "a", "b", null, null, "x\0y")] }, "U+0000");
        Refused(store, new() { Audit = [new(0, new string('a', 513), "b", null, null, "")] }, "513 characters");
        Refused(store, new() { Audit = [new(0, "a", "b", null, ulong.MaxValue, "")] }, "out of range");
        Refused(store, new() { Audit = [.. Enumerable.Repeat(new AuditEntry(0, "a", "b", null, null, ""), 1025)] }, "1025 changes");
        Must(store, new() { Releases = [release] });
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("b", "1")]) with { Bodies = [] }] });
    }

    [Fact]
    public void Releases_are_read_whole_up_to_a_number_of_bytes()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        StoredRelease[] releases = [.. Enumerable.Range(0, 5).Select(
            i => Next(ref shop, 1, [(byte)i], [("a", new string((char)('a' + i), 1000)), ("b", new string((char)('a' + i), 1000))]))];
        Must(store, new() { Releases = releases });

        IReadOnlyList<ReleaseRecord> all = Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadReleases(1, 0, int.MaxValue, d));
        Assert.Equal([1UL, 2UL, 3UL, 4UL, 5UL], all.Select(r => r.Release));
        for (int i = 0; i < 5; i++)
        {
            Assert.Equal(releases[i].Header.Encode(), all[i].Header.ToArray());
            Assert.Equal([(byte)i], all[i].Signature.ToArray());
            StoredBody body = Assert.Single(all[i].Bodies);
            Assert.Equal(new string((char)('a' + i), 1000), Encoding.UTF8.GetString(body.Bytes.Span));
            Assert.Equal(body.Digest, ContentDigest.Compute(body.Bytes.Span));
        }

        Assert.Equal([3UL], Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadReleases(1, 3, 1, d)).Select(r => r.Release));
        Assert.Equal([3UL, 4UL], Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadReleases(1, 3, 6000, d)).Select(r => r.Release));
        Assert.Empty(Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadReleases(1, 6, int.MaxValue, d)));
        Assert.Empty(Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadReleases(9, 1, int.MaxValue, d)));
    }

    [Fact]
    public void Bodies_are_read_by_digest()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        byte[] large = new byte[300_000];
        new Random(1).NextBytes(large);
        string text = Convert.ToBase64String(large);
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", text), ("e", "")])] });
        Assert.Equal(
            text, Encoding.UTF8.GetString(Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(1, shop.Keys["a"].Digest, d))!.Value.Span));
        Assert.Equal(0, Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(1, shop.Keys["e"].Digest, d))!.Value.Length);
        Assert.Null(Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(1, Digest160.Hash("no"u8, default), d)));
    }

    [Fact]
    public void A_value_is_read_only_of_an_application_that_has_or_had_it()
    {
        using IHostStore store = Open();
        Must(store, new() { Applications = [new(1, "shop", 1), new(2, "other", 1)] });
        ReleaseState shop = ReleaseState.Empty("shop");
        ReleaseState other = ReleaseState.Empty("other");
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "mine"), ("b", "both")])] });
        Digest160 mine = shop.Keys["a"].Digest;
        Digest160 both = shop.Keys["b"].Digest;
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "newer"), ("b", null)])] });
        Must(store, new() { Releases = [Next(ref other, 2, null, [("x", "both"), ("y", "theirs")])] });
        foreach ((uint topic, Digest160 digest, bool isThere) in ((uint, Digest160, bool)[])
        [
            (1, mine, true), (2, mine, false), (1, both, true), (2, both, true),
            (1, other.Keys["y"].Digest, false), (2, other.Keys["y"].Digest, true), (3, both, false),
        ])
        {
            Assert.Equal(isThere, Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(topic, digest, d)) is not null);
        }
    }

    [Fact]
    public void History_is_read_newest_first()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        for (int i = 0; i < 6; i++)
        {
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "v" + i)])] });
        }

        Assert.Equal(
            [6UL, 5UL], Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadHistory(1, ulong.MaxValue, 2, d)).Select(r => r.Release));
        IReadOnlyList<ReleaseRecord> rest = Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadHistory(1, 3, 100, d));
        Assert.Equal([2UL, 1UL], rest.Select(r => r.Release));
        Assert.All(rest, r => Assert.Empty(r.Bodies));
        Assert.True(ReleaseHeader.TryDecode(rest[0].Header.Span, out _));
        Assert.Empty(Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadHistory(1, 1, 100, d)));
        Assert.Empty(Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadHistory(1, 0, 100, d)));
        Assert.Empty(Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadHistory(2, ulong.MaxValue, 100, d)));
        Assert.Empty(Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadHistory(1, ulong.MaxValue, -1, d)));
    }

    [Fact]
    public void The_state_at_every_release_is_the_state_its_header_names()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        var random = new Random(2);
        var states = new List<ReleaseState>();
        string[] names = ["a", "b", "\U0001F600", "\uE000", "é", "z"];
        for (int i = 0; i < 40; i++)
        {
            var changes = new Dictionary<string, string?>();
            for (int c = 0; c < random.Next(1, 4); c++)
            {
                changes[names[random.Next(names.Length)]] = random.Next(3) == 0 ? null : "v" + random.Next(4);
            }

            Must(store, new() { Releases = [Next(ref shop, 1, null, [.. changes.Select(c => (c.Key, c.Value))])] });
            states.Add(shop);
        }

        foreach (ReleaseState expected in states)
        {
            ReleaseState state = Read<ReleaseState?>(d => store.ReadState(1, expected.Release, d))!;
            Assert.True(expected.IsSame(state));
            Assert.Equal(expected.Keys, state.Keys);
        }

        Assert.Equal(40UL, Read<ReleaseState?>(d => store.ReadState(1, 0, d))!.Release);
        Assert.Null(Read<ReleaseState?>(d => store.ReadState(1, 41, d)));
        Assert.Null(Read<ReleaseState?>(d => store.ReadState(1, ulong.MaxValue, d)));
        Assert.Null(Read<ReleaseState?>(d => store.ReadState(2, 0, d)));
    }

    [Fact]
    public void Audit_is_read_newest_first_by_application_or_all()
    {
        using IHostStore store = Open();
        Must(store, new()
        {
            Audit = [.. Enumerable.Range(1, 9).Select(
                i => new AuditEntry(i, "ann", "do", i % 3 == 0 ? "shop" : null, i % 2 == 0 ? (ulong)i : null, "d" + i))],
        });
        IReadOnlyList<AuditRecord> newest = Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, long.MaxValue, 4, d));
        Assert.Equal([9, 8, 7, 6], newest.Select(r => r.Entry.TimeUnixMicros));
        Assert.Equal([null, 8UL, null, 6UL], newest.Select(r => r.Entry.Release));
        Assert.Equal(
            [5, 4],
            Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, newest[^1].Number, 2, d)).Select(r => r.Entry.TimeUnixMicros));
        Assert.Equal(
            ["d9", "d6", "d3"],
            Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit("shop", long.MaxValue, 10, d)).Select(r => r.Entry.Detail));
        Assert.Empty(Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit("other", long.MaxValue, 10, d)));
    }

    [Fact]
    public void Tokens_are_made_listed_and_revoked_and_each_change_is_audited()
    {
        using IHostStore store = Open();
        byte[] hash = [.. Enumerable.Range(0, 32).Select(i => (byte)i)];
        Must(store, new()
        {
            Tokens = [AccessTokenChange.Create(
                new("t1", hash, AccessTokenGrant.For(["shop", "other"], AccessRole.Publisher), 10, 99, null), "root")],
        });
        long version = store.TokensVersion;
        Must(store, new()
        {
            Tokens = [AccessTokenChange.Create(new("t0", hash, AccessTokenGrant.For(["*"], AccessRole.Node), 11, null, null), "root")],
        });
        Assert.True(store.TokensVersion > version);
        version = store.TokensVersion;
        Must(store, new() { Tokens = [AccessTokenChange.Revoke("t1", 50, "ann")] });
        Assert.True(store.TokensVersion > version);
        Must(store, new() { Tokens = [AccessTokenChange.Revoke("t1", 70, "bob")] });

        IReadOnlyList<AccessToken> tokens = Read<IReadOnlyList<AccessToken>>(store.ReadTokens);
        Assert.Equal(["t0", "t1"], tokens.Select(t => t.Id));
        Assert.Equal([new("other", AccessRole.Publisher), new("shop", AccessRole.Publisher)], tokens[1].Grants);
        Assert.Equal(hash, tokens[1].SecretHash.ToArray());
        Assert.Equal((10L, 99L, 50L), (tokens[1].CreatedUnixMicros, tokens[1].ExpiresUnixMicros, tokens[1].RevokedUnixMicros));
        Assert.Null(tokens[0].ExpiresUnixMicros);
        Assert.Null(tokens[0].RevokedUnixMicros);
        Assert.Equal(
            [
                "bob token.revoke t1",
                "ann token.revoke t1",
                "root token.create t0 Node for *",
                "root token.create t1 Publisher for other,shop",
            ],
            Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, long.MaxValue, 10, d)).Select(
                r => $"{r.Entry.Actor} {r.Entry.Action} {r.Entry.Detail}"));

        version = store.TokensVersion;
        Must(store, new()
        {
            Tokens =
            [
                AccessTokenChange.Grant("t0", new("shop", AccessRole.Admin), 80, "ann"),
                AccessTokenChange.Grant("t0", new("*", AccessRole.Publisher), 81, "ann"),
            ],
        });
        Assert.True(store.TokensVersion > version);
        Assert.Equal(
            [new("*", AccessRole.Publisher), new("shop", AccessRole.Admin)], Read<IReadOnlyList<AccessToken>>(store.ReadTokens)[0].Grants);
        Must(
            store,
            new() { Tokens = [AccessTokenChange.Withdraw("t0", "shop", 82, "bob"), AccessTokenChange.Withdraw("t0", "shop", 83, "bob")] });
        Assert.Equal([new("*", AccessRole.Publisher)], Read<IReadOnlyList<AccessToken>>(store.ReadTokens)[0].Grants);
        Assert.Equal(
            ["bob role.remove shop t0", "bob role.remove shop t0", "ann role.set * t0 Publisher", "ann role.set shop t0 Admin"],
            Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, long.MaxValue, 4, d)).Select(
                r => $"{r.Entry.Actor} {r.Entry.Action} {r.Entry.Application} {r.Entry.Detail}"));
        Refused(store, new() { Tokens = [AccessTokenChange.Grant("t0", new("A B", AccessRole.Node), 1, "ann")] }, "application name");
        Refused(store, new() { Tokens = [AccessTokenChange.Grant("t0", new("a", (AccessRole)9), 1, "ann")] }, "no role 9");

        version = store.TokensVersion;
        Refused(store, new() { Tokens = [AccessTokenChange.Revoke("t9", 1, "ann")] }, "no token 't9'");
        Refused(store, new() { Tokens = [AccessTokenChange.Create(tokens[0], "ann")] }, "'t0' already");
        Refused(store, new() { Tokens = [AccessTokenChange.Create(tokens[0] with { Id = "a b" }, "ann")] }, "'a b' is not usable");
        Refused(
            store,
            new() { Tokens = [AccessTokenChange.Create(tokens[0] with { Id = "n", SecretHash = default }, "ann")] },
            "hash of 0 bytes");
        Refused(
            store, new() { Tokens = [AccessTokenChange.Create(tokens[0] with { Id = "n", Grants = [] }, "ann")] }, "names no application");
        Refused(store, new()
        {
            Tokens =
                [AccessTokenChange.Create(tokens[0] with { Id = "n", Grants = AccessTokenGrant.For(["a", "a"], AccessRole.Node) }, "ann")],
        }, "twice");
        Assert.Equal(version, store.TokensVersion);
    }
}
