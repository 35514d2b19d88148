using System.Runtime.CompilerServices;
using Ripple.Client.Events;
using Ripple.Client.Scheduling;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;

namespace Ripple.Client.Tests.Events;

/// <summary>A watch of every release: what arrived in order, and the rest from a history that the test writes.</summary>
public sealed class HistoryHubTests : IDisposable
{
    private const string Shop = "shop";
    private readonly CancellationTokenSource _stopping = new();
    private readonly HistoryHub _hub;

    /// <summary>What the hosts have, oldest first.</summary>
    private List<(uint Generation, ulong Release)> _history = [];

    /// <summary>How the next questions end.</summary>
    private readonly Queue<Exception> _failures = [];

    private int _asked;
    private bool _holdsAnswers;

    public HistoryHubTests() => _hub = new HistoryHub(PoolScheduler.Instance, ReadAsync, _stopping.Token);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose() => _stopping.Dispose();

    [Fact]
    public async Task What_arrives_in_order_needs_no_host()
    {
        Have(1, 1, 3);
        await using IAsyncEnumerator<HistoryEntry> watch = Watch(After(1, 3));
        Task<HistoryEntry> next = NextAsync(watch);
        await AskedAsync(1);
        for (ulong release = 4; release <= 40; release++)
        {
            Arrive(1, release);
            HistoryEntry entry = await next;
            Assert.Equal((1u, release, "note", "ann", 2), (entry.Generation, entry.Release, entry.Note, entry.Actor, entry.KeyCount));
            Assert.Equal(["a", "b"], entry.Keys);
            Assert.Equal(DateTimeOffset.UnixEpoch.AddSeconds(release), entry.Time);
            Assert.False(entry.Id.IsZero);
            next = NextAsync(watch);
        }

        Assert.Equal(1, _asked);
        Arrive(1, 41);
        await next;
    }

    [Fact]
    public async Task What_was_superseded_before_it_arrived_is_read_and_comes_once()
    {
        Have(1, 1, 3);
        await using IAsyncEnumerator<HistoryEntry> watch = Watch(After(1, 1));
        Assert.Equal([(1u, 2ul), (1u, 3ul)], await TakeAsync(watch, 2));
        Task<HistoryEntry> next = NextAsync(watch);
        Have(1, 4, 9);
        Arrive(1, 7);
        Arrive(1, 8);
        Arrive(1, 9);
        Assert.Equal((1u, 4ul), Name(await next));
        Assert.Equal([(1u, 5ul), (1u, 6ul), (1u, 7ul), (1u, 8ul), (1u, 9ul)], await TakeAsync(watch, 5));
        next = NextAsync(watch);
        Arrive(1, 9);
        Arrive(1, 10);
        Assert.Equal((1u, 10ul), Name(await next));
    }

    [Fact]
    public async Task A_restore_is_followed_from_where_the_new_generation_begins()
    {
        Have(1, 1, 5);
        await using IAsyncEnumerator<HistoryEntry> watch = Watch(After(1, 4));
        Assert.Equal([(1u, 5ul)], await TakeAsync(watch, 1));
        _history = [.. _history.Take(2)];
        Have(2, 3, 6);
        Arrive(2, 6);
        Assert.Equal([(2u, 3ul), (2u, 4ul), (2u, 5ul), (2u, 6ul)], await TakeAsync(watch, 4));
    }

    [Fact]
    public async Task Many_are_read_in_steps_from_the_beginning()
    {
        Have(1, 1, 250);
        Have(2, 251, 700);
        await using IAsyncEnumerator<HistoryEntry> watch = Watch(new HistoryEntry { Release = 0 });
        Assert.Equal(_history, await TakeAsync(watch, 700));
    }

    [Fact]
    public async Task What_the_hosts_keep_no_more_leaves_a_gap()
    {
        Have(1, 3_000, 6_000);
        await using IAsyncEnumerator<HistoryEntry> watch = Watch(After(1, 7));
        Assert.Equal(_history, await TakeAsync(watch, 3_001));
    }

    [Fact]
    public async Task Who_takes_slowly_gets_all_of_them()
    {
        Have(1, 1, 1);
        await using IAsyncEnumerator<HistoryEntry> watch = Watch(After(1, 1));
        Task<HistoryEntry> first = NextAsync(watch);
        await AskedAsync(1);
        Have(1, 2, 400);
        for (ulong release = 2; release <= 400; release++)
        {
            Arrive(1, release);
            Assert.InRange(_hub.QueuedMax, 0, ArrivalWatcher.QueueMax);
        }

        Assert.Equal((1u, 2ul), Name(await first));
        Assert.Equal(_history.Skip(2), await TakeAsync(watch, 398));
    }

    [Fact]
    public async Task Where_nothing_is_in_effect_it_begins_after_the_newest()
    {
        Have(1, 1, 5);
        await using IAsyncEnumerator<HistoryEntry> watch = Watch(null);
        Task<HistoryEntry> next = NextAsync(watch);
        await AskedAsync(2);
        Have(1, 6, 7);
        Arrive(1, 7);
        Assert.Equal((1u, 6ul), Name(await next));
    }

    [Fact]
    public async Task Where_nothing_was_released_it_begins_with_the_first()
    {
        await using IAsyncEnumerator<HistoryEntry> watch = Watch(null);
        Task<HistoryEntry> next = NextAsync(watch);
        await AskedAsync(3);
        Have(1, 1, 1);
        Arrive(1, 1);
        Assert.Equal((1u, 1ul), Name(await next));
    }

    [Fact]
    public async Task No_answer_and_a_busy_host_are_asked_again_and_a_refusal_is_told()
    {
        Have(1, 1, 3);
        _failures.Enqueue(new RippleTimeoutException("no answer"));
        _failures.Enqueue(new RippleException(ErrorCode.Busy, "later"));
        await using IAsyncEnumerator<HistoryEntry> watch = Watch(After(1, 2));
        Assert.Equal([(1u, 3ul)], await TakeAsync(watch, 1));
        _failures.Enqueue(new RippleException(ErrorCode.NotAllowed, "not for you"));
        Arrive(1, 9);
        RippleException e = await Assert.ThrowsAsync<RippleException>(() => NextAsync(watch));
        Assert.Equal("not for you", e.Message);
    }

    [Fact]
    public async Task It_ends_with_the_client_also_while_it_asks_and_with_its_token()
    {
        await using IAsyncEnumerator<HistoryEntry> idle = Watch(After(1, 3));
        Task<bool> end = idle.MoveNextAsync().AsTask();
        await AskedAsync(1);
        using var own = CancellationTokenSource.CreateLinkedTokenSource(Token);
        await using IAsyncEnumerator<HistoryEntry> canceled = _hub.WatchAsync(Shop, After(1, 3), own.Token).GetAsyncEnumerator(own.Token);
        Task<bool> cancel = canceled.MoveNextAsync().AsTask();
        await own.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancel);

        _holdsAnswers = true;
        await using IAsyncEnumerator<HistoryEntry> asking = Watch(After(1, 3));
        Task<bool> alsoEnd = asking.MoveNextAsync().AsTask();
        await _stopping.CancelAsync();
        _hub.Close();
        Assert.False(await end.WaitAsync(Token));
        Assert.False(await alsoEnd.WaitAsync(Token));
    }

    private static (uint Generation, ulong Release) Name(HistoryEntry entry) => (entry.Generation, entry.Release);

    private static HistoryEntry After(uint generation, ulong release) => new() { Generation = generation, Release = release };

    private static async Task<HistoryEntry> NextAsync(IAsyncEnumerator<HistoryEntry> watch)
    {
        Assert.True(await watch.MoveNextAsync().AsTask().WaitAsync(Token), "The watch ended.");
        return watch.Current;
    }

    private static async Task<List<(uint Generation, ulong Release)>> TakeAsync(IAsyncEnumerator<HistoryEntry> watch, int count)
    {
        var taken = new List<(uint Generation, ulong Release)>();
        while (taken.Count < count)
        {
            taken.Add(Name(await NextAsync(watch)));
        }

        return taken;
    }

    private IAsyncEnumerator<HistoryEntry> Watch(HistoryEntry? after) => _hub.WatchAsync(Shop, after, Token).GetAsyncEnumerator(Token);

    /// <summary>Waits until the watch has asked so often: it has then looked once, and knows that there is nothing more.</summary>
    private async Task AskedAsync(int count)
    {
        while (Volatile.Read(ref _asked) < count)
        {
            await Task.Yield();
            Token.ThrowIfCancellationRequested();
        }
    }

    private void Have(uint generation, ulong from, ulong to)
    {
        for (ulong release = from; release <= to; release++)
        {
            _history.Add((generation, release));
        }
    }

    private void Arrive(uint generation, ulong release) => _hub.OnReceived(Shop, new ReleaseHeader
    {
        Kind = ReleaseKind.Changes,
        Application = Shop,
        Generation = generation,
        Release = release,
        SlotEpoch = 1,
        PreviousId = Digest160.Hash("test"u8, [1]),
        PublishId = Guid.NewGuid(),
        Actor = "ann",
        TimeUnixMicros = (long)release * 1_000_000,
        Note = "note",
        Changes = [KeyChange.Set("a", KeyForm.Bytes, [1]), KeyChange.Remove("b")],
        StateRoot = Digest160.Hash("test"u8, [2]),
    });

    private async IAsyncEnumerable<HistoryEntry> ReadAsync(
        string application, ulong? before, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Assert.Equal(Shop, application);
        (uint, ulong Release)[] history = [.. _history];
        Interlocked.Increment(ref _asked);
        if (_holdsAnswers)
        {
            await Task.Delay(Timeout.Infinite, cancellationToken);
        }

        if (_failures.TryDequeue(out Exception? failure))
        {
            throw failure;
        }

        foreach ((uint generation, ulong release) in history.Reverse().Where(r => r.Release < (before ?? ulong.MaxValue)))
        {
            yield return After(generation, release);
        }
    }
}
