using Ripple.Client.Tests.Hosting;

namespace Ripple.Client.Tests;

/// <summary>Monitors of a client against a real host: points that never go back, over hosts that go and come.</summary>
public sealed class MonitorTests : ClientScenario
{
    private const string EverywhereApplied = "MIN($ALL.applied)";

    [Fact]
    public async Task Points_follow_releases_over_a_start_of_the_host()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host, name: "n1");
        await client.PublishAsync(Publish("a", "1"), Token);
        await using IAsyncEnumerator<FrontierPoint> points = Follow(client);
        FrontierPoint before = await ReachAsync(points, 1);

        await host.StopAsync();
        await host.StartAsync();
        await client.PublishAsync(Publish("a", "2"), Token);

        FrontierPoint after = await ReachAsync(points, 2);
        Assert.Equal((1u, 0UL), (before.Generation, before.Version));
        Assert.Equal((1u, 2UL, null), (after.Generation, after.Release, after.Problem));
    }

    [Fact]
    public async Task A_level_that_was_reported_is_told_again_after_a_start_of_the_host()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host, name: "n1");
        await client.PublishAsync(Publish("levels/verified", "") with { Application = "$shop" }, Token);
        await client.PublishAsync(Publish("a", "1"), Token);
        await SeeAsync(client, 1);
        await client.ReportAsync("shop", 1, "verified", Token);
        await host.StopAsync();
        await host.StartAsync();
        await using IAsyncEnumerator<FrontierPoint> points = Follow(client, "MIN($ALL.verified)");
        Assert.Equal(1UL, (await ReachAsync(points, 1)).Release);
    }

    [Fact]
    public async Task Who_takes_no_point_for_a_while_gets_the_newest()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host, name: "n1");
        await using IAsyncEnumerator<FrontierPoint> points = Follow(client);
        await points.MoveNextAsync();
        for (int i = 1; i <= 20; i++)
        {
            await client.PublishAsync(Publish("a", $"{i}"), Token);
        }

        await client.WaitAsync("shop", 20, EverywhereApplied, Patience, null, Token);
        int taken = 0;
        do
        {
            await points.MoveNextAsync();
            taken++;
        }
        while (points.Current.Release < 20);
        // One may have waited here, and one on its way.
        Assert.InRange(taken, 1, 3);
    }

    [Fact]
    public async Task What_is_refused_is_thrown_and_the_end_of_the_client_ends_it()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        RippleClient client = await ConnectAsync(host, name: "n1");
        RippleException refused = await Assert.ThrowsAsync<RippleException>(async () => await FirstAsync(client, "MIN("));
        Assert.Equal(Engine.Protocol.ErrorCode.InvalidPredicate, refused.Code);
        await Assert.ThrowsAsync<RippleException>(async () => await FirstAsync(client, " "));
        await using IAsyncEnumerator<FrontierPoint> points = Follow(client);
        await points.MoveNextAsync();
        ValueTask<bool> next = points.MoveNextAsync();
        await client.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await next);
    }

    private static IAsyncEnumerator<FrontierPoint> Follow(RippleClient client, string predicate = EverywhereApplied) =>
        client.MonitorAsync("shop", predicate, Token).GetAsyncEnumerator(Token);

    private static async Task<FrontierPoint> ReachAsync(IAsyncEnumerator<FrontierPoint> points, ulong release)
    {
        FrontierPoint? last = null;
        while (await points.MoveNextAsync())
        {
            Assert.True(last is null || points.Current.IsNewsAfter(last), $"{points.Current} came after {last}");
            last = points.Current;
            if (last.Release >= release)
            {
                return last;
            }
        }

        throw new InvalidOperationException("The monitor ended.");
    }

    private static async Task<FrontierPoint> FirstAsync(RippleClient client, string predicate)
    {
        await foreach (FrontierPoint point in client.MonitorAsync("shop", predicate, Token))
        {
            return point;
        }

        throw new InvalidOperationException("The monitor ended.");
    }
}
