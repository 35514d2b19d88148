using System.Collections.Concurrent;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Store;

/// <content>Somebody writes to the database: what was changed is given to nobody, and said by its name, once.</content>
public sealed partial class PostgresHostStoreTests
{
    [Theory]
    [InlineData("UPDATE changes SET digest = (SELECT digest FROM changes WHERE key = 'b') WHERE key = 'a'")]
    [InlineData("SET session_replication_role = replica; UPDATE changes SET digest = 'x' WHERE key = 'a'")]
    [InlineData("UPDATE changes SET digest = NULL WHERE key = 'a'")]
    [InlineData("UPDATE changes SET length = 2 WHERE key = 'a'")]
    [InlineData("UPDATE changes SET key = 'c' WHERE key = 'a'")]
    [InlineData("UPDATE changes SET key = '' WHERE key = 'a'")]
    public void A_past_state_whose_changes_somebody_wrote_is_given_to_nobody(string sql) => PastStateIsGivenToNobody(() => Sql(sql));

    [Theory]
    [InlineData("UPDATE content SET body = 'owned' WHERE body = 'secret'", "was changed in the store")]
    [InlineData("SET session_replication_role = replica; DELETE FROM content WHERE body = 'secret'", "is missing from the store")]
    public void A_value_that_somebody_wrote_is_given_to_nobody(string sql, string said)
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        var damages = new ConcurrentQueue<string>();
        using IHostStore store = Open(new() { OnDamaged = damages.Enqueue });
        CreateShop(store);
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "secret"), ("b", "good")])] });
        Sql(sql);

        // Of a release whose values a joiner is sent.
        Assert.Equal(
            StoreStatus.Damaged,
            Ask<ReadResult<IReadOnlyList<ReleaseRecord>>>(d => store.ReadReleases(1, 1, 1_000_000, d)).Status);

        string damage = Assert.Single(damages);
        Assert.StartsWith("The value of 'a' of 'shop', release 1 (", damage, StringComparison.Ordinal);
        Assert.Contains(said, damage, StringComparison.Ordinal);
        ReadOnlyMemory<byte>? good = Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(1, shop.Keys["b"].Digest, d));
        Assert.Equal("good"u8.ToArray(), good!.Value.ToArray());
        Assert.Equal(
            said.StartsWith("was", StringComparison.Ordinal) ? StoreStatus.Damaged : StoreStatus.Done,
            Ask<ReadResult<ReadOnlyMemory<byte>?>>(d => store.ReadBody(1, shop.Keys["a"].Digest, d)).Status);
    }

    /// <summary>The header names the release before, and who made it: the id that stands beside it is of its bytes.</summary>
    [Fact]
    public void A_header_that_somebody_wrote_is_given_to_nobody()
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        var damages = new ConcurrentQueue<string>();
        using IHostStore store = Open(new() { OnDamaged = damages.Enqueue });
        CreateShop(store);
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1")])] });
        Sql("UPDATE releases SET header = set_byte(header, length(header) - 1, get_byte(header, length(header) - 1) # 1)");

        Assert.Equal(
            StoreStatus.Damaged,
            Ask<ReadResult<IReadOnlyList<ReleaseRecord>>>(d => store.ReadHistory(1, ulong.MaxValue, 10, d)).Status);
        Assert.Equal(["The header of release 1 was changed in the store. Restore a backup."], damages);
    }
}
