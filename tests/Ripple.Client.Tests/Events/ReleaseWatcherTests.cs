using Ripple.Client.Events;
using Ripple.Client.Scheduling;

namespace Ripple.Client.Tests.Events;

public sealed class ReleaseWatcherTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task The_current_release_comes_first_and_the_others_in_order()
    {
        var watcher = new ReleaseWatcher(Release(1), PoolScheduler.Instance);
        watcher.Offer(Release(2));
        watcher.Offer(Release(3));
        Assert.Equal([1ul, 2ul, 3ul], await TakeAsync(watcher, 3));
    }

    [Fact]
    public async Task An_application_without_release_brings_nothing_until_the_first()
    {
        var watcher = new ReleaseWatcher(Release(0), PoolScheduler.Instance);
        ValueTask<(bool IsOpen, RippleRelease? Item)> first = watcher.NextAsync(Token);
        Assert.False(first.IsCompleted);
        watcher.Offer(Release(1));
        Assert.Equal(1ul, (await first).Item!.Release);
    }

    [Fact]
    public async Task What_is_not_newer_is_dropped_and_a_new_generation_is_newer()
    {
        var watcher = new ReleaseWatcher(Release(5), PoolScheduler.Instance);
        watcher.Offer(Release(5));
        watcher.Offer(Release(4));
        watcher.Offer(Release(5, 2));
        Assert.Equal([5ul, 5ul], await TakeAsync(watcher, 2));
        watcher.Close();
        Assert.False((await watcher.NextAsync(Token)).IsOpen);
    }

    [Fact]
    public async Task A_slow_watch_goes_on_with_the_newest_and_is_told_how_many_it_missed()
    {
        var watcher = new ReleaseWatcher(Release(1), PoolScheduler.Instance);
        for (ulong r = 2; r <= 200; r++)
        {
            watcher.Offer(Release(r));
        }

        var seen = new List<RippleRelease>();
        watcher.Close();
        while (await watcher.NextAsync(Token) is { IsOpen: true, Item: { } release })
        {
            seen.Add(release);
        }

        Assert.True(seen.Count <= ReleaseWatcher.QueueMax);
        Assert.Equal(200ul, seen[^1].Release);
        Assert.Equal(200, seen.Count + seen.Sum(r => r.Skipped));
        Assert.Equal(seen.OrderBy(r => r.Release), seen);
        // Nothing that changed is lost: the changes of what was dropped are the newest one's.
        IEnumerable<string> changed = seen.SelectMany(r => r.ChangedKeys).Order(StringComparer.Ordinal);
        Assert.Equal(Enumerable.Range(1, 200).Select(r => $"key-{r:000}"), changed);
    }

    [Fact]
    public async Task A_watch_stops_at_its_token()
    {
        var watcher = new ReleaseWatcher(Release(0), PoolScheduler.Instance);
        using var stop = new CancellationTokenSource();
        ValueTask<(bool IsOpen, RippleRelease? Item)> next = watcher.NextAsync(stop.Token);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => next.AsTask());
    }

    private static RippleRelease Release(ulong release, uint generation = 1) => new()
    {
        Application = "shop",
        Generation = generation,
        Release = release,
        ChangedKeys = [$"key-{release:000}"],
    };

    private static async Task<List<ulong>> TakeAsync(ReleaseWatcher watcher, int count)
    {
        var taken = new List<ulong>();
        for (int i = 0; i < count; i++)
        {
            taken.Add((await watcher.NextAsync(Token)).Item!.Release);
        }

        return taken;
    }
}
