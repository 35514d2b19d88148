using System.Globalization;
using Ripple.Client.Tests.Hosting;
using Ripple.Gms;

namespace Ripple.Client.Tests;

/// <summary>Who asks for every release gets each, whatever takes effect: against a real host.</summary>
public sealed class HistoryWatchTests : ClientScenario
{
    private const int Count = 90;

    [Fact]
    public async Task Each_release_comes_once_and_in_order_where_one_decision_outlasts_them_all()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        await publisher.PublishAsync(Publish("a", "0"), Token);
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var applied = new List<ulong>();
        await using RippleClient slow = await ConnectAsync(host, new RippleClientOptions
        {
            Name = "slow",
            AcceptRelease = async (release, stop) =>
            {
                if (release.Release > 1)
                {
                    await gate.Task.WaitAsync(stop);
                }

                return ReleaseDecision.Accept;
            },
        });
        Task<List<HistoryEntry>> watching = TakeAsync(slow.WatchHistoryAsync(cancellationToken: Token), Count - 1);
        Task watchingEffect = Task.Run(
            async () =>
            {
                await foreach (RippleRelease release in slow.WatchAsync(cancellationToken: Token))
                {
                    applied.Add(release.Release);
                    if (release.Release == Count)
                    {
                        return;
                    }
                }
            },
            Token);
        for (int i = 2; i <= Count; i++)
        {
            await publisher.PublishAsync(Publish("a", i.ToString(CultureInfo.InvariantCulture)), Token);
        }

        List<HistoryEntry> seen = await watching;
        Assert.Equal(Enumerable.Range(2, Count - 1).Select(r => (ulong)r), seen.Select(e => e.Release));
        Assert.All(seen, e => Assert.Equal(("note", 1, "a", 1u), (e.Note, e.KeyCount, e.Keys[0], e.Generation)));
        gate.SetResult();
        await watchingEffect;
        // Those in between were superseded, and never in effect here.
        Assert.InRange(applied.Count, 2, 4);
    }

    [Fact]
    public async Task A_process_that_comes_back_goes_on_after_the_last_one_it_handled()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        for (int i = 1; i <= 5; i++)
        {
            await publisher.PublishAsync(Publish("a", i.ToString(CultureInfo.InvariantCulture)), Token);
        }

        await using RippleClient client = await ConnectAsync(host, name: "n2");
        IAsyncEnumerable<HistoryEntry> all = client.WatchHistoryAsync(after: new HistoryEntry { Release = 0 }, cancellationToken: Token);
        HistoryEntry handled = (await TakeAsync(all, 3))[^1];
        Assert.Equal((1u, 3ul), (handled.Generation, handled.Release));
        Assert.Equal([4ul, 5ul], (await TakeAsync(client.WatchHistoryAsync("shop", handled, Token), 2)).Select(e => e.Release));
        Assert.Throws<RippleException>(() => client.WatchHistoryAsync("other", null, Token));
    }

    [Fact]
    public async Task What_the_host_keeps_no_more_is_left_out_and_cannot_be_read_or_gone_back_to()
    {
        await using TestHost host = await TestHost.StartNewAsync(
            new GmsOptions { HistoryReleasesMax = 8, Limits = new HostLimits { CommitsKept = 4, PrunedReleasesMax = 4 } }, "shop");
        await using RippleClient client = await ConnectAsync(host, name: "n1");
        for (int i = 1; i <= 20; i++)
        {
            await client.PublishAsync(Publish("a", i.ToString(CultureInfo.InvariantCulture), ($"only-{i}", "x")), Token);
        }

        while (await client.ReadAsync("shop", "a", 12, Token) is not null)
        {
            Token.ThrowIfCancellationRequested();
        }

        await ExpectAsync();
        await host.StopAsync();
        await host.StartAsync();
        await ExpectAsync();

        async Task ExpectAsync()
        {
            Assert.Null(await client.ReadAsync("shop", "a", 12, Token));
            ReadResult? oldest = await client.ReadAsync("shop", "a", 13, Token);
            Assert.Equal("13"u8.ToArray(), oldest!.Value.ToArray());
            // What nobody changed since is there, however old.
            Assert.NotNull(await client.ReadAsync("shop", "only-1", 13, Token));
            IAsyncEnumerable<HistoryEntry> watch = client.WatchHistoryAsync(
                after: new HistoryEntry { Generation = 1, Release = 2 }, cancellationToken: Token);
            Assert.Equal(Enumerable.Range(13, 8).Select(r => (ulong)r), (await TakeAsync(watch, 8)).Select(e => e.Release));
            RipplePublishException e = await Assert.ThrowsAsync<RipplePublishException>(
                () => client.RollbackAsync("shop", 12, cancellationToken: Token));
            Assert.Contains("Release 12 of 'shop' is kept no more; the oldest one is 13.", e.Message, StringComparison.Ordinal);
        }
    }

    private static async Task<List<HistoryEntry>> TakeAsync(IAsyncEnumerable<HistoryEntry> watch, int count)
    {
        var taken = new List<HistoryEntry>();
        await foreach (HistoryEntry entry in watch)
        {
            taken.Add(entry);
            if (taken.Count == count)
            {
                break;
            }
        }

        return taken;
    }
}
