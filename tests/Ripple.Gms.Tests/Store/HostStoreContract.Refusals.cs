using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Store;

/// <content>What a store refuses, and what it does when its disk fails.</content>
public abstract partial class HostStoreContract
{
    [Fact]
    public void A_store_of_a_later_format_is_refused()
    {
        using (IHostStore store = Open())
        {
            CreateShop(store);
        }

        WriteFormat(StoreSchema.FormatVersion + 1);
        StoreFormatException e = Assert.Throws<StoreFormatException>(() => Open());
        Assert.Equal(StoreSchema.FormatVersion + 1, e.FoundVersion);
        Assert.Equal(StoreSchema.FormatVersion, e.KnownVersion);
        WriteFormat(StoreSchema.FormatVersion);
        using IHostStore again = Open();
        Assert.Single(again.Load().Applications);
    }

    [Fact]
    public void A_second_host_on_the_same_store_is_refused_until_the_first_is_gone()
    {
        using (IHostStore store = Open())
        {
            Assert.Throws<StoreException>(() => Open());
            using IHostStore tool = Open(new() { IsHost = false });
            Must(tool, new()
            {
                Tokens = [AccessTokenChange.Create(
                    new("t1", new byte[32], AccessTokenGrant.For(["*"], AccessRole.Node), 1, null, null), "root")],
            });
        }

        using IHostStore again = Open();
        Assert.Single(again.Load().Tokens);
    }

    [Fact]
    public void After_a_disk_error_the_store_takes_no_commits_and_is_read()
    {
        using (IHostStore store = Open())
        {
            CreateShop(store);
            BreakDisk();
            CommitResult result = Commit(store, new() { SlotEpoch = 1, Audit = [new(0, "a", "b", null, null, "")] });
            Assert.Equal(StoreStatus.Failed, result.Status);
            Assert.Contains("takes no commits until ", result.Reason, StringComparison.Ordinal);
            Assert.True(store.IsBroken);
            Assert.Equal(StoreStatus.Failed, Commit(store, new() { SlotEpoch = 2 }).Status);
            Assert.Equal(StoreStatus.Failed, store.Trouble!.Status);
            Assert.Empty(Read<IReadOnlyList<AccessToken>>(store.ReadTokens));
            Assert.Single(store.Load().Applications);
            Assert.Equal(StoreStatus.Refused, Commit(store, new() { Prunings = [new(1, 0)] }).Status);
        }

        using IHostStore again = Open();
        Assert.False(again.IsBroken);
        Assert.Single(again.Load().Applications);
        Assert.NotEqual(2u, again.Load().SlotEpoch);
    }

    [Fact]
    public void A_full_queue_takes_nothing_and_says_so()
    {
        using IHostStore store = Open(new() { QueueCountMax = 4 });
        int told = 0;
        int taken = 0;
        int refused = 0;
        for (int i = 0; i < 20_000 && refused == 0; i++)
        {
            if (store.Commit(new() { Audit = [new(i, "a", "b", null, null, "")] }, _ => Interlocked.Increment(ref told)))
            {
                taken++;
            }
            else
            {
                refused++;
            }
        }

        Assert.Equal(1, refused);
        store.Dispose();
        Assert.Equal(taken, told);
        Assert.False(store.Commit(new(), _ => told++));
        store.Dispose();
    }

    [Fact]
    public void A_release_that_does_not_stand_on_the_one_before_it_is_refused()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        ReleaseState fork = shop;
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1")])] });
        Next(ref fork, 1, null, [("a", "another")]);
        StoredRelease ofFork = Next(ref fork, 1, null, [("a", "2")]);
        // The right number on another one before it: two histories in one store.
        Assert.Equal(2UL, ofFork.Header.Release);
        Refused(store, new() { Releases = [ofFork] }, "does not follow release 1 of the store");
        // And the first one stands on none.
        Must(store, new() { Applications = [new(2, "other", 1)] });
        ReleaseState other = ReleaseState.Empty("other");
        Next(ref other, 2, null, [("a", "1")]);
        Refused(store, new() { Releases = [Next(ref other, 2, null, [("a", "2")])] }, "does not follow release 0 of the store");
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "2")])] });
        Assert.Equal(shop.Id, store.Load().Applications[0].Newest!.Id);
        Assert.Null(store.Load().Applications[1].Newest);
    }

    [Fact]
    public void A_read_sees_the_commits_asked_for_before_it()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        for (int i = 1; i <= 20; i++)
        {
            Assert.True(store.Commit(new() { Releases = [Next(ref shop, 1, null, [("a", "v" + i)])] }, _ => { }));
            Assert.True(Read<ReleaseState?>(d => store.ReadState(1, 0, d))!.Release >= (ulong)i);
        }
    }

    protected static Guid PublishId(ulong release) => new((int)release, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
}
