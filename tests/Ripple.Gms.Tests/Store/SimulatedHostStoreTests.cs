using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;
using Ripple.Simulator.Disks;

namespace Ripple.Gms.Tests.Store;

public sealed class SimulatedHostStoreTests : HostStoreContract
{
    private readonly PriorityQueue<Action, (long TimeNs, long Order)> _events = new();
    private readonly SimulatedDisk _disk;
    private long _nowNs;
    private long _order;

    public SimulatedHostStoreTests() => _disk = new(Schedule, new(7));

    private protected override IHostStore Open(HostStoreOptions? options = null) => _disk.Open(options);

    protected override T Ask<T>(Func<Action<T>, bool> ask)
    {
        T? answer = default;
        bool isAnswered = false;
        Assert.True(ask(a =>
        {
            answer = a;
            isAnswered = true;
        }));
        Assert.False(isAnswered, "an answer must come at a later step");
        while (!isAnswered)
        {
            Assert.True(Step(), "the store did not answer");
        }

        return answer!;
    }

    protected override void WriteFormat(int version) => _disk.FormatVersion = version;

    protected override void BreakDisk() => _disk.FailNextSync = "an I/O error";

    protected override void NeedDiskThatFills()
    {
        // Any simulated disk does.
    }

    protected override void FillDisk() => _disk.IsFull = true;

    protected override void MakeRoom() => _disk.IsFull = false;

    protected override void LetTimePass(Func<bool> until)
    {
        while (!until() && Step())
        {
        }
    }

    private protected override object CopyAll() => _disk.Copy();

    private protected override void PutBack(object copy, MarkFate mark) => _disk.Restore((SimulatedDiskCopy)copy, mark);

    [Fact]
    public void A_commit_is_told_only_after_its_flush()
    {
        using SimulatedHostStore store = _disk.Open();
        bool isTold = false;
        Assert.True(store.Commit(new() { SlotEpoch = 1 }, _ => isTold = true));
        Assert.False(isTold);
        Assert.Equal(0u, store.Load().SlotEpoch);
        long before = _nowNs;
        Assert.True(Step());
        Assert.True(isTold);
        Assert.InRange(_nowNs - before, _disk.Options.SyncDelayMinNs, _disk.Options.SyncDelayMaxNs);
        Assert.Equal(1u, store.Load().SlotEpoch);
    }

    [Fact]
    public void What_arrives_during_a_flush_shares_the_next()
    {
        using SimulatedHostStore store = _disk.Open();
        for (uint i = 1; i <= 10; i++)
        {
            Assert.True(store.Commit(new() { SlotEpoch = i }, r => Assert.True(r.IsDone)));
        }

        Drain();
        Assert.Equal(2, _disk.SyncCount);
        Assert.Equal(10, _disk.DurableBatchCount);
    }

    [Fact]
    public void A_crash_loses_what_was_not_flushed_and_nothing_that_was_told()
    {
        int kept = 0;
        int lost = 0;
        for (ulong seed = 0; seed < 300; seed++)
        {
            _events.Clear();
            var random = new DeterministicRandom(seed);
            var disk = new SimulatedDisk(Schedule, random.Fork(1));
            SimulatedHostStore store = disk.Open();
            ReleaseState shop = ReleaseState.Empty("shop");
            ulong told = 0;
            ulong asked = 0;
            Assert.True(store.Commit(new() { Applications = [new(1, "shop", 1)] }, _ => { }));
            Drain();
            int steps = random.NextInt32(40);
            for (int i = 0; i < steps; i++)
            {
                if (random.NextBool(0.7))
                {
                    StoredRelease[] releases = [Next(ref shop, 1, null, [("a", "v" + i)]), Next(ref shop, 1, null, [("b", "v" + i)])];
                    asked += 2;
                    Assert.True(store.Commit(new() { Releases = releases }, r =>
                    {
                        Assert.True(r.IsDone);
                        told += 2;
                    }));
                }
                else
                {
                    Step();
                }
            }

            ulong toldBefore = told;
            store.Crash();
            Assert.False(store.Commit(new() { SlotEpoch = 1 }, _ => Assert.Fail("told after a crash")));
            Drain();
            Assert.Equal(toldBefore, told);
            using SimulatedHostStore again = store.Reopen();
            ulong there = again.Load().Applications[0].Newest?.Release ?? 0;
            Assert.InRange(there, told, asked);
            Assert.Equal(0UL, there % 2);
            kept += there > told ? 1 : 0;
            lost += there < asked ? 1 : 0;
        }

        Assert.True(kept > 20, $"only {kept} crashes kept something that was not told");
        Assert.True(lost > 20, $"only {lost} crashes lost something");
    }

    [Fact]
    public void Without_tearing_a_crash_keeps_nothing_unflushed()
    {
        var disk = new SimulatedDisk(Schedule, new(1), new() { CrashTears = false });
        SimulatedHostStore store = disk.Open();
        Assert.True(store.Commit(new() { SlotEpoch = 1 }, _ => { }));
        store.Crash();
        Assert.Equal(0u, store.Reopen().Load().SlotEpoch);
        Assert.Equal(1, disk.LostBatchCount);
    }

    [Fact]
    public void A_restored_backup_is_the_disk_of_then()
    {
        SimulatedHostStore store = _disk.Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        Must(store, new() { SlotEpoch = 1, Releases = [Next(ref shop, 1, null, [("a", "1")])] });
        SimulatedDiskCopy copy = _disk.Copy();
        Must(store, new() { SlotEpoch = 2, Releases = [Next(ref shop, 1, null, [("a", "2")])] });
        Assert.Throws<InvalidOperationException>(() => _disk.Restore(copy, MarkFate.Copied));
        store.Crash();
        _disk.Restore(copy, MarkFate.Copied);
        using SimulatedHostStore again = store.Reopen();
        Assert.Equal(1u, again.Load().SlotEpoch);
        Assert.Equal(1UL, again.Load().Applications[0].Newest!.Release);
    }

    [Fact]
    public void One_seed_gives_one_run()
    {
        Assert.Equal(Run(5), Run(5));
        Assert.NotEqual(Run(5), Run(6));
    }

    [Fact]
    public void A_locked_store_answers_so_and_writes_nothing()
    {
        using SimulatedHostStore store = _disk.Open();
        _disk.Break(new DiskFaults { BusyShare = 1 }, new DeterministicRandom(1));

        Assert.Equal(StoreStatus.Busy, Ask<CommitResult>(done => store.Commit(new() { SlotEpoch = 1 }, done)).Status);
        Assert.Equal(StoreStatus.Busy, Ask<ReadResult<IReadOnlyList<AccessToken>>>(store.ReadTokens).Status);
        Assert.Equal(0u, store.Load().SlotEpoch);
        Assert.False(store.IsBroken);

        _disk.Mend();
        Must(store, new() { SlotEpoch = 1 });
    }

    [Fact]
    public void A_slow_disk_answers_late()
    {
        using SimulatedHostStore store = _disk.Open();
        _disk.Break(new DiskFaults { SlowShare = 1, SlowNsMax = 2_000_000_000 }, new DeterministicRandom(1));
        long beforeNs = _nowNs;
        Must(store, new() { SlotEpoch = 1 });

        Assert.InRange(_nowNs - beforeNs, 10_000_000, 2_002_000_000);
    }

    [Fact]
    public void A_flush_whose_end_is_not_known_breaks_the_store_until_the_disk_takes_something()
    {
        using SimulatedHostStore store = _disk.Open();
        _disk.Break(new DiskFaults { FailShare = 1 }, new DeterministicRandom(1));

        Assert.Equal(StoreStatus.Failed, Ask<CommitResult>(done => store.Commit(new() { SlotEpoch = 1 }, done)).Status);
        Assert.True(store.IsBroken);
        Assert.Empty(Read<IReadOnlyList<AccessToken>>(store.ReadTokens));
        _disk.Mend();
        Assert.Equal(StoreStatus.Failed, Ask<CommitResult>(done => store.Commit(new() { SlotEpoch = 2 }, done)).Status);
        LetTimePass(() => !store.IsBroken);
        Assert.Null(store.Trouble);
        Assert.Equal(0u, store.Load().SlotEpoch);
        Must(store, new() { SlotEpoch = 1 });
    }

    [Fact]
    public void What_failed_may_be_there_after_a_crash_and_never_once_the_disk_took_something_over_it()
    {
        int there = 0;
        for (ulong seed = 0; seed < 20; seed++)
        {
            var disk = new SimulatedDisk(Schedule, new(seed)) { FailNextSync = "an I/O error" };
            SimulatedHostStore store = disk.Open();
            Assert.Equal(StoreStatus.Failed, Ask<CommitResult>(done => store.Commit(new() { SlotEpoch = 1 }, done)).Status);
            Assert.Equal(0u, store.Load().SlotEpoch);
            bool isKnown = seed % 2 == 0;
            if (isKnown)
            {
                LetTimePass(() => !store.IsBroken);
            }

            store.Crash();
            store = disk.Open();
            there += (int)store.Load().SlotEpoch;
            Assert.True(!isKnown || store.Load().SlotEpoch == 0);
            store.Dispose();
        }

        Assert.InRange(there, 1, 9);
    }

    [Fact]
    public void A_full_disk_stays_full_for_those_who_open_it_again()
    {
        var disk = new SimulatedDisk(Schedule, new(7), nowNs: () => _nowNs);
        disk.Break(new DiskFaults { FullShare = 1, FullNs = 1_000_000_000 }, new DeterministicRandom(1));
        SimulatedHostStore store = disk.Open();
        var batch = new CommitBatch { Applications = [new(1, "shop", 1)] };
        Assert.Equal(StoreStatus.Full, Ask<CommitResult>(done => store.Commit(batch, done)).Status);
        store.Dispose();
        disk.Break(new DiskFaults(), new DeterministicRandom(1));
        store = disk.Open();
        Assert.Equal(StoreStatus.Full, Ask<CommitResult>(done => store.Commit(batch, done)).Status);
        store.Dispose();

        _nowNs += 1_000_000_000;
        using SimulatedHostStore later = disk.Open();
        Must(later, batch);
    }

    [Fact]
    public void A_flipped_bit_is_in_what_is_read_and_not_on_the_disk()
    {
        using SimulatedHostStore store = _disk.Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "value")])] });
        Digest160 digest = ContentDigest.Compute("value"u8);
        _disk.Break(new DiskFaults { FlipShare = 1 }, new DeterministicRandom(1));

        ReadOnlyMemory<byte> flipped = Ask<ReadResult<ReadOnlyMemory<byte>?>>(done => store.ReadBody(1, digest, done)).Value!.Value;
        IReadOnlyList<ReleaseRecord> releases =
            Ask<ReadResult<IReadOnlyList<ReleaseRecord>>>(done => store.ReadReleases(1, 1, 1_000, done)).Value!;
        _disk.Mend();
        ReadOnlyMemory<byte> right = Ask<ReadResult<ReadOnlyMemory<byte>?>>(done => store.ReadBody(1, digest, done)).Value!.Value;

        Assert.Equal(5, flipped.Length);
        Assert.NotEqual("value"u8.ToArray(), flipped.ToArray());
        Assert.NotEqual("value"u8.ToArray(), releases[0].Bodies[0].Bytes.ToArray());
        Assert.Equal("value"u8.ToArray(), right.ToArray());
    }

    private string Run(ulong seed)
    {
        _events.Clear();
        _nowNs = 0;
        var log = new System.Text.StringBuilder();
        SimulatedHostStore store = new SimulatedDisk(Schedule, new(seed)).Open();
        for (uint i = 1; i <= 20; i++)
        {
            uint epoch = i;
            store.Commit(new() { SlotEpoch = epoch }, r => log.Append(CultureInfo.InvariantCulture, $"{epoch} {r.Status} {_nowNs};"));
            if (i % 4 == 0)
            {
                Step();
            }
        }

        Drain();
        return log.ToString();
    }

    private void Schedule(long delayNs, Action action) => _events.Enqueue(action, (_nowNs + delayNs, _order++));

    private bool Step()
    {
        if (!_events.TryDequeue(out Action? action, out (long TimeNs, long Order) at))
        {
            return false;
        }

        _nowNs = at.TimeNs;
        action();
        return true;
    }

    private void Drain()
    {
        while (Step())
        {
        }
    }
}
