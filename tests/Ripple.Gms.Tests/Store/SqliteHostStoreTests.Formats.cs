using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Store;

/// <content>Stores of earlier formats.</content>
public sealed partial class SqliteHostStoreTests
{
    [Fact]
    public void A_store_of_format_1_is_taken_over_with_the_role_of_each_token()
    {
        using (IHostStore store = Open())
        {
            CreateShop(store);
        }

        ForgetHistory();
        ForgetMembers();
        Sql("DROP TABLE revoked_nodes");
        ForgetIndex();
        // Tokens as format 1 had them.
        Sql("DROP TABLE grants");
        Sql("DROP TABLE tokens");
        Sql(
            "CREATE TABLE tokens (id TEXT NOT NULL PRIMARY KEY, secret_hash BLOB NOT NULL, applications TEXT NOT NULL, "
                + "role INTEGER NOT NULL, created INTEGER NOT NULL, expires INTEGER, revoked INTEGER) WITHOUT ROWID");
        Sql("INSERT INTO tokens VALUES ('t1', x'00', 'shop,other', 1, 5, 9, NULL), ('t2', x'01', '*', 2, 6, NULL, 7)");
        WriteFormat(1);

        // A tool does not take it over: the host of the version before may be running.
        Assert.Contains(
            "Start the host first",
            Assert.Throws<StoreException>(() => Open(new HostStoreOptions { IsHost = false })).Message,
            StringComparison.Ordinal);
        using IHostStore again = Open();
        IReadOnlyList<AccessToken> tokens = Read<IReadOnlyList<AccessToken>>(again.ReadTokens);
        Assert.Equal(["t1", "t2"], tokens.Select(t => t.Id));
        Assert.Equal(AccessTokenGrant.For(["other", "shop"], AccessRole.Publisher), tokens[0].Grants);
        Assert.Equal(AccessTokenGrant.For(["*"], AccessRole.Admin), tokens[1].Grants);
        Assert.Equal(
            (5L, 9L, (long?)null, ""),
            (tokens[0].CreatedUnixMicros, tokens[0].ExpiresUnixMicros, tokens[0].RevokedUnixMicros, tokens[0].Name));
        Assert.Equal(7L, tokens[1].RevokedUnixMicros);
        Assert.Single(again.Load().Applications);
        Assert.Equal(StoreSchema.FormatVersion, again.Load().FormatVersion);
    }

    [Fact]
    public void A_store_of_format_2_is_taken_over_and_knows_the_members_of_releases_from_then_on()
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        using (IHostStore store = Open())
        {
            Must(store, new() { Applications = [new(1, "shop", 1), new(2, "other", 1)] });
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1")])] });
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "2")])] });
        }

        ForgetHistory();
        ForgetMakers();
        ForgetMembers();
        ForgetIndex();
        WriteFormat(2);
        Assert.Throws<StoreException>(() => Open(new HostStoreOptions { IsHost = false }));
        using (IHostStore taken = Open())
        {
            Assert.Equal([3UL, 1UL], taken.Load().Applications.Select(a => a.MembersFrom));
            Assert.Empty(taken.Load().Applications[0].Members);
            Must(taken, new() { Members = [new MembershipChange(1, [], [Member(1, 3)], 0)] });
        }

        using IHostStore again = Open();
        Assert.Equal(StoreSchema.FormatVersion, again.Load().FormatVersion);
        Assert.Equal(3UL, Assert.Single(again.Load().Applications[0].Members).FirstRelease);
    }

    [Fact]
    public void A_store_of_format_3_is_taken_over_and_knows_who_made_a_token_from_then_on()
    {
        AccessToken Token(string id, string? madeBy) =>
            new(id, new byte[32], AccessTokenGrant.For(["*"], AccessRole.Admin, madeBy), 1, null, null) { MadeBy = madeBy };

        using (IHostStore store = Open())
        {
            Must(store, new() { Tokens = [AccessTokenChange.Create(Token("t1", null), "root")] });
        }

        ForgetHistory();
        ForgetMakers();
        ForgetIndex();
        WriteFormat(3);
        Assert.Throws<StoreException>(() => Open(new HostStoreOptions { IsHost = false }));
        using (IHostStore taken = Open())
        {
            Assert.Null(Assert.Single(Read<IReadOnlyList<AccessToken>>(taken.ReadTokens)).MadeBy);
            Must(taken, new() { Tokens = [AccessTokenChange.Create(Token("t2", "t1"), "root")] });
        }

        using IHostStore again = Open();
        Assert.Equal(StoreSchema.FormatVersion, again.Load().FormatVersion);
        Assert.Empty(again.Load().RevokedNodes);
        AccessToken made = Read<IReadOnlyList<AccessToken>>(again.ReadTokens)[1];
        Assert.Equal(("t1", "t1"), (made.MadeBy, made.Grants[0].MadeBy));
    }

    [Fact]
    public void A_store_of_format_3_is_taken_over_and_finds_a_value_by_its_application()
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        using (IHostStore store = Open())
        {
            Must(store, new() { Applications = [new(1, "shop", 1), new(2, "other", 1)] });
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1")])] });
        }

        ForgetHistory();
        ForgetMakers();
        ForgetIndex();
        WriteFormat(3);
        Assert.Throws<StoreException>(() => Open(new HostStoreOptions { IsHost = false }));
        using IHostStore again = Open();
        Assert.Equal(StoreSchema.FormatVersion, again.Load().FormatVersion);
        Assert.NotNull(Read<ReadOnlyMemory<byte>?>(d => again.ReadBody(1, shop.Keys["a"].Digest, d)));
        Assert.Null(Read<ReadOnlyMemory<byte>?>(d => again.ReadBody(2, shop.Keys["a"].Digest, d)));
        string plan = Plan("SELECT 1 FROM changes WHERE digest = ? AND topic = ? LIMIT 1");
        Assert.Contains("changes_by_digest", plan, StringComparison.Ordinal);
    }

    [Fact]
    public void A_store_of_format_4_is_taken_over_with_all_that_it_has_and_its_history_can_be_shortened()
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        ReleaseState first;
        using (IHostStore store = Open())
        {
            CreateShop(store);
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1"), ("b", "1"), ("c", "2")])] });
            first = shop;
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "2"), ("b", null)])] });
        }

        ForgetHistory();
        WriteFormat(4);
        Assert.Throws<StoreException>(() => Open(new HostStoreOptions { IsHost = false }));
        using (IHostStore taken = Open())
        {
            Assert.Equal(1UL, taken.Load().Applications[0].HistoryFrom);
            Assert.Equal(first.Keys, Read<ReleaseState?>(d => taken.ReadState(1, 1, d))!.Keys);
            Assert.Equal(shop.Keys, Read<ReleaseState?>(d => taken.ReadState(1, 2, d))!.Keys);
            Prune(taken, 2);
        }

        using IHostStore again = Open();
        Assert.Equal(StoreSchema.FormatVersion, again.Load().FormatVersion);
        Assert.Null(Read<ReleaseState?>(d => again.ReadState(1, 1, d)));
        Assert.Equal(shop.Keys, Read<ReleaseState?>(d => again.ReadState(1, 2, d))!.Keys);
        Assert.Null(Read<ReadOnlyMemory<byte>?>(d => again.ReadBody(1, first.Keys["a"].Digest, d)));
        Assert.Contains(
            "changes_by_digest", Plan("SELECT 1 FROM changes WHERE digest = ? AND topic = ? LIMIT 1"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_store_of_format_4_that_lacks_a_value_is_taken_over_and_lacks_it_still()
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        using (IHostStore store = Open())
        {
            CreateShop(store);
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1"), ("b", "2")])] });
        }

        ForgetHistory();
        WriteFormat(4);
        Sql("PRAGMA foreign_keys = OFF; DELETE FROM content WHERE body = CAST('1' AS BLOB)");
        using IHostStore taken = Open();
        Assert.Null(Read<ReadOnlyMemory<byte>?>(d => taken.ReadBody(1, shop.Keys["a"].Digest, d)));
        Assert.NotNull(Read<ReadOnlyMemory<byte>?>(d => taken.ReadBody(1, shop.Keys["b"].Digest, d)));
        Must(taken, new() { Releases = [Next(ref shop, 1, null, [("a", "3")])] });
    }

    /// <summary>Changes held their releases, and keys their values, before format 5.</summary>
    private void ForgetHistory()
    {
        Sql("ALTER TABLE applications DROP COLUMN history_from");
        Sql("DROP INDEX changes_by_digest");
        Sql("ALTER TABLE changes RENAME TO newer");
        Sql(
            "CREATE TABLE changes (topic INTEGER NOT NULL, key TEXT NOT NULL, release INTEGER NOT NULL, form INTEGER NOT NULL, "
                + "length INTEGER NOT NULL, digest BLOB REFERENCES content, PRIMARY KEY (topic, key, release), "
                + "FOREIGN KEY (topic, release) REFERENCES releases) WITHOUT ROWID");
        Sql("INSERT INTO changes SELECT * FROM newer");
        Sql("DROP TABLE newer");
        Sql("ALTER TABLE keys RENAME TO newer");
        Sql(
            "CREATE TABLE keys (topic INTEGER NOT NULL REFERENCES applications, key TEXT NOT NULL, release INTEGER NOT NULL, "
                + "form INTEGER NOT NULL, length INTEGER NOT NULL, digest BLOB NOT NULL REFERENCES content, PRIMARY KEY (topic, key)) "
                + "WITHOUT ROWID");
        Sql("INSERT INTO keys SELECT * FROM newer");
        Sql("DROP TABLE newer");
        Sql("CREATE INDEX changes_by_digest ON changes (digest, topic)");
    }

    /// <summary>No format before 4 had it.</summary>
    private void ForgetIndex() => Sql("DROP INDEX changes_by_digest");

    /// <summary>Members as no format before 3 had them.</summary>
    private void ForgetMembers()
    {
        Sql("DROP TABLE members");
        Sql("ALTER TABLE applications DROP COLUMN members_from");
    }

    private void ForgetMakers()
    {
        Sql("DROP TABLE revoked_nodes");
        Sql("ALTER TABLE tokens DROP COLUMN made_by");
        Sql("ALTER TABLE grants DROP COLUMN made_by");
    }
}
