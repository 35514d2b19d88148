using Ripple.Engine.Releases;
using Ripple.Gms.Placement;
using Ripple.Gms.Store;
using Ripple.Testing.Disks;

namespace Ripple.Gms.Tests.Store;

/// <content>A store that is put back from a copy is known by the mark beside it, which the copy has not got.</content>
public abstract partial class HostStoreContract
{
    private ReleaseState _chain = ReleaseState.Empty("shop");

    /// <summary>Copies the store and its mark; no host has it open.</summary>
    private protected abstract object CopyAll();

    /// <summary>Puts the copy in the place of the store; no host has it open.</summary>
    private protected abstract void PutBack(object copy, MarkFate mark);

    [Fact]
    public void A_store_that_is_opened_again_is_no_copy()
    {
        Begin(Release("1"));
        object copy = Begin(Release("2"), isCopied: true);
        PutBack(copy, MarkFate.Kept);
        using IHostStore store = Open();
        Assert.Null(store.Load().Copy);
    }

    [Theory]
    [InlineData(nameof(MarkFate.Kept), "release 2 of the application with topic 1 was committed here")]
    [InlineData(nameof(MarkFate.Lost), "the mark that was beside it is missing")]
    public void A_store_put_back_within_a_hosts_run_is_a_copy(string mark, string reason)
    {
        object copy = Begin(Release("1"), isCopied: true);
        Append(Release("2"));
        PutBack(copy, Enum.Parse<MarkFate>(mark));
        ExpectCopy(reason, mark == nameof(MarkFate.Kept) ? 1u : 0u);
    }

    [Fact]
    public void A_store_put_back_from_before_the_last_start_is_a_copy()
    {
        object copy = Begin(Release("1"), isCopied: true);
        Begin(null);
        PutBack(copy, MarkFate.Kept);
        ExpectCopy("it has slot epoch 1, and epoch 2 was used here", 1);
    }

    [Fact]
    public void A_store_of_as_many_releases_and_other_ones_is_a_copy()
    {
        object copy = Begin(Release("1"), isCopied: true);
        ReleaseState then = _chain;
        Append(Release("2"));
        object forked = CopyAll();
        PutBack(copy, MarkFate.Copied);
        _chain = then;
        Append(Release("other"));
        object other = CopyAll();
        PutBack(forked, MarkFate.Copied);
        PutBack(other, MarkFate.Kept);
        ExpectCopy("release 2 of the application with topic 1 was committed here, and it has none or another", 1);
    }

    [Fact]
    public void A_copy_of_the_whole_directory_is_not_known_by_its_mark()
    {
        object copy = Begin(Release("1"), isCopied: true);
        Append(Release("2"));
        PutBack(copy, MarkFate.Copied);
        using IHostStore store = Open();
        Assert.Null(store.Load().Copy);
    }

    [Fact]
    public void A_start_on_a_copy_ends_the_generations_of_before_for_all_applications()
    {
        object copy = Begin(Release("1"), isCopied: true);
        Begin(Release("2"));
        PutBack(copy, MarkFate.Kept);
        _chain = ReleaseState.Empty("shop");
        StoredRelease first = Next(ref _chain, 1, null, [("a", "1")]);
        Assert.Equal(1ul, first.Header.Release);
        using (IHostStore store = Open())
        {
            HostState state = store.Load();
            GmsStart start = GmsStart.Plan(state, 0);
            Assert.Equal((3u, 2u), (start.SlotEpoch, start.Batch.GenerationMin));
            Must(store, start.Batch);
            state = store.Load();
            Assert.Null(state.Copy);
            Assert.Equal((2u, 2u), (state.GenerationMin, Assert.Single(state.Applications).Generation));
            Assert.Contains(
                Read<IReadOnlyList<AuditRecord>>(done => store.ReadAudit(null, long.MaxValue, 100, done)),
                r => r.Entry.Action == GmsStart.CopyAction
                    && r.Entry.Detail.StartsWith("the store is a copy: it has slot epoch 1", StringComparison.Ordinal));
            ReleaseState old = _chain;
            Refused(store, new() { Releases = [Next(ref old, 1, null, [("a", "2")])] }, "Generations only grow");
            Must(store, new() { Releases = [Next(ref _chain, 1, null, [], generation: 2)] });
        }

        using IHostStore again = Open();
        Assert.Null(again.Load().Copy);
    }

    [Fact]
    public void A_least_generation_only_grows()
    {
        using IHostStore store = Open();
        CreateShop(store);
        Must(store, new() { GenerationMin = 3 });
        Assert.Equal((3u, 3u), (store.Load().GenerationMin, store.Load().Applications[0].Generation));
        Refused(store, new() { GenerationMin = 3 }, "generation_min is 3");
    }

    private StoredRelease Release(string value) => Next(ref _chain, 1, null, [("a", value)]);

    /// <summary>A host starts, releases, and ends; the copy is of then.</summary>
    private object Begin(StoredRelease? release, bool isCopied = false)
    {
        using (IHostStore store = Open())
        {
            HostState state = store.Load();
            Must(store, GmsStart.Plan(state, 0).Batch);
            if (state.Applications.Count == 0)
            {
                CreateShop(store);
            }

            if (release is not null)
            {
                Must(store, new() { Releases = [release] });
            }
        }

        return isCopied ? CopyAll() : this;
    }

    private void Append(StoredRelease release)
    {
        using IHostStore store = Open();
        Must(store, new() { Releases = [release] });
    }

    private void ExpectCopy(string reason, uint generation)
    {
        using IHostStore store = Open();
        StoreCopy copy = store.Load().Copy!;
        Assert.StartsWith(reason, copy.Reason, StringComparison.Ordinal);
        Assert.Equal(generation, copy.Generation);
    }
}
