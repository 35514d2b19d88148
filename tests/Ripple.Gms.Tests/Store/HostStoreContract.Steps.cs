using System.Collections.Concurrent;
using System.Text;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Store;

/// <content>What its tests share.</content>
public abstract partial class HostStoreContract
{
    /// <summary>The next release of a state, with all its bodies; a null value removes.</summary>
    private protected static StoredRelease Next(
        ref ReleaseState state, uint topic, byte[]? signature, (string Key, string? Value)[] changes, uint? generation = null)
    {
        KeyChange[] sorted = [.. changes.OrderBy(c => c.Key, KeyOrder.Instance)
            .Select(c => c.Value is null ? KeyChange.Remove(c.Key) : KeyChange.Set(c.Key, KeyForm.Bytes, Encoding.UTF8.GetBytes(c.Value)))];
        var header = new ReleaseHeader
        {
            Kind = generation is null ? ReleaseKind.Changes : ReleaseKind.Creation,
            Application = state.Application,
            Generation = generation ?? Math.Max(1, state.Generation),
            Release = state.Release + 1,
            SlotEpoch = 1,
            PreviousId = state.Id,
            PublishId = PublishId(state.Release + 1),
            Actor = "ann",
            TimeUnixMicros = 1_000_000 + (long)state.Release + 1,
            Note = "",
            Changes = [.. sorted],
            StateRoot = state.Trie.Apply(sorted).Root,
        };
        Assert.Equal(ApplyStatus.Applied, state.Apply(header, out state));
        StoredBody[] bodies = [.. changes.Where(c => c.Value is not null).Select(c => Encoding.UTF8.GetBytes(c.Value!))
            .Select(b => new StoredBody(ContentDigest.Compute(b), b)).DistinctBy(b => b.Digest)];
        return new(topic, header, signature, Digest160.Hash("publish"u8, default), bodies);
    }

    private protected CommitResult Commit(IHostStore store, CommitBatch batch) => Ask<CommitResult>(done => store.Commit(batch, done));

    private protected void Must(IHostStore store, CommitBatch batch)
    {
        CommitResult result = Commit(store, batch);
        Assert.Null(result.Reason);
        Assert.True(result.IsDone);
    }

    private protected T Read<T>(Func<Action<ReadResult<T>>, bool> ask)
    {
        ReadResult<T> result = Ask(ask);
        Assert.Null(result.Reason);
        Assert.Equal(StoreStatus.Done, result.Status);
        return result.Value!;
    }

    private protected void CreateShop(IHostStore store) => Must(store, new() { Applications = [new(1, "shop", 1)] });

    /// <summary>Somebody writes what the keys "a" and "b" of a release are that is not the newest.</summary>
    private protected void PastStateIsGivenToNobody(Action write)
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        var damages = new ConcurrentQueue<string>();
        using IHostStore store = Open(new() { OnDamaged = damages.Enqueue });
        CreateShop(store);
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1"), ("b", "2")])] });
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("d", "3")])] });
        write();

        for (int i = 0; i < 2; i++)
        {
            ReadResult<ReleaseState?> read = Ask<ReadResult<ReleaseState?>>(d => store.ReadState(1, 1, d));
            Assert.Equal(StoreStatus.Damaged, read.Status);
            Assert.Null(read.Value);
        }

        Assert.Equal(["The keys of release 1 of 'shop' were changed in the store. Restore a backup."], damages);
        Assert.False(store.IsBroken);
    }

    /// <summary>A node of this number, with a name that holds what texts of a database may not.</summary>
    private protected static StoredMember Member(ulong number, ulong firstRelease, string zone = "east") => new(
        new NodeId(number, 7),
        $"node-{number}\0é",
        zone,
        [KeyValuePair.Create("ring", "canary"), KeyValuePair.Create("ring", "")],
        firstRelease,
        null);

    private protected void Refused(IHostStore store, CommitBatch batch, string reason)
    {
        CommitResult result = Commit(store, batch);
        Assert.Equal(StoreStatus.Refused, result.Status);
        Assert.Contains(reason, result.Reason, StringComparison.Ordinal);
        Assert.False(store.IsBroken);
    }
}
