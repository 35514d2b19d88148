using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Store;

/// <content>A store on a disk that is full for a while.</content>
public abstract partial class HostStoreContract
{
    /// <summary>From now on the disk of the store may be full; or skips the test, and says why. Before the store is opened.</summary>
    protected abstract void NeedDiskThatFills();

    /// <summary>Leaves no room on the disk.</summary>
    protected abstract void FillDisk();

    /// <summary>There is room again.</summary>
    protected abstract void MakeRoom();

    /// <summary>Lets so much time pass that the store looks at its disk.</summary>
    protected abstract void LetTimePass(Func<bool> until);

    [Fact]
    public void A_full_disk_refuses_commits_and_is_read_until_there_is_room_and_nothing_is_opened_again()
    {
        NeedDiskThatFills();
        ReleaseState shop = ReleaseState.Empty("shop");
        using IHostStore store = Open(new HostStoreOptions { PollMs = 20 });
        CreateShop(store);
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1")])] });
        FillDisk();
        ReleaseState before = shop;
        CommitResult result = Commit(store, new() { Releases = [Next(ref shop, 1, null, [("a", new string('x', 3_000_000))])] });
        Assert.Equal(StoreStatus.Full, result.Status);
        Assert.Contains("The disk of the store is full", result.Reason, StringComparison.Ordinal);
        Assert.False(store.IsBroken);
        Assert.Equal((StoreStatus.Full, result.Reason), (store.Trouble!.Status, store.Trouble.Reason));
        Assert.Equal(1UL, Read<ReleaseState?>(d => store.ReadState(1, 0, d))!.Release);
        ReadOnlyMemory<byte>? value = Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(1, ContentDigest.Compute("1"u8), d));
        Assert.Equal("1"u8.ToArray(), value!.Value.ToArray());

        MakeRoom();
        // What was refused was not written: its number is given to something else.
        Must(store, new() { Releases = [Next(ref before, 1, null, [("a", new string('y', 3_000_000))])] });
        LetTimePass(() => store.Trouble is null);
        Assert.Null(store.Trouble);
        Assert.Equal(before.Id, store.Load().Applications[0].Newest!.Id);
    }

    [Fact]
    public void Room_that_nobody_uses_is_noticed()
    {
        NeedDiskThatFills();
        ReleaseState shop = ReleaseState.Empty("shop");
        using IHostStore store = Open(new HostStoreOptions { PollMs = 20 });
        CreateShop(store);
        FillDisk();
        StoreStatus status = Commit(store, new() { Releases = [Next(ref shop, 1, null, [("a", new string('x', 3_000_000))])] }).Status;
        Assert.Equal(StoreStatus.Full, status);
        MakeRoom();
        LetTimePass(() => store.Trouble is null);
        Assert.Null(store.Trouble);
    }

    [Fact]
    public void A_host_starts_on_a_full_disk_again_and_again()
    {
        NeedDiskThatFills();
        ReleaseState shop = ReleaseState.Empty("shop");
        using (IHostStore store = Open(new HostStoreOptions { PollMs = 20 }))
        {
            CreateShop(store);
            Must(store, new() { SlotEpoch = 1, Releases = [Next(ref shop, 1, null, [("a", "1")])] });
        }

        for (uint epoch = 2; epoch < 6; epoch++)
        {
            FillDisk();
            using IHostStore again = Open(new HostStoreOptions { PollMs = 20 });
            Assert.Equal(epoch - 1, again.Load().SlotEpoch);
            Assert.Null(again.Load().Copy);
            Must(again, new() { SlotEpoch = epoch });
            FillDisk();
            ReleaseState next = shop;
            CommitResult result = Commit(again, new() { Releases = [Next(ref next, 1, null, [("a", new string('x', 3_000_000))])] });
            Assert.Equal(StoreStatus.Full, result.Status);
            Assert.Equal(1UL, Read<ReleaseState?>(d => again.ReadState(1, 0, d))!.Release);
        }
    }
}
