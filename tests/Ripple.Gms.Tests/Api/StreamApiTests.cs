using System.Net.ServerSentEvents;
using System.Text.Json;
using Ripple.Admin.Contracts;

namespace Ripple.Gms.Tests.Api;

/// <summary>Streams of events as anybody reads them over HTTPS: what the host ends, it ends with the reason.</summary>
public sealed class StreamApiTests
{
    private static CancellationToken Cancel => ApiHarness.Cancel;

    [Fact]
    public async Task A_monitor_whose_name_is_removed_ends_with_that_as_its_last_event()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.SetPredicateAsync(ApiHarness.Shop, "safe", "MIN($REPLICAS.persisted)", cancellationToken: Cancel);
        List<SseItem<string>> items = await ReadAsync(
            harness,
            "monitor?predicate=safe",
            first => first.EventType == AdminRoutes.PointEvent,
            () => harness.Admin.RemovePredicateAsync(ApiHarness.Shop, "safe", cancellationToken: Cancel));

        AssertEnds(items, ProblemCodes.InvalidPredicate, "The predicate 'safe' of 'shop' was removed.");
    }

    [Fact]
    public async Task A_subscription_that_does_not_fit_the_space_any_more_ends_with_that_as_its_last_event()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.SetSpaceAsync(ApiHarness.Shop, "price:real:0..1000", cancellationToken: Cancel);
        List<SseItem<string>> items = await ReadAsync(
            harness,
            "events?where=price%3D10..20",
            _ => true,
            () => harness.Admin.SetSpaceAsync(ApiHarness.Shop, "volume:integer:0..1000", cancellationToken: Cancel));

        AssertEnds(items, ProblemCodes.InvalidRequest, "price");
    }

    [Theory]
    [InlineData("events?where=price%3D10..20&block=true", true)]
    [InlineData("events?where=price%3D10..20", false)]
    public async Task A_subscription_has_emitters_wait_where_it_asks_for_it(string path, bool blocks)
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.SetSpaceAsync(ApiHarness.Shop, "price:real:0..1000", cancellationToken: Cancel);
        await ReadAsync(harness, path, _ => true, async () =>
        {
            SpaceSubscribers found = await harness.Admin.ExplainSpaceAsync(
                ApiHarness.Shop, new Dictionary<string, string>(StringComparer.Ordinal), Cancel);
            Assert.Equal(blocks, Assert.Single(found.Subscriptions).Blocks);
            await harness.Admin.SetSpaceAsync(ApiHarness.Shop, "volume:integer:0..1000", cancellationToken: Cancel);
        });
    }

    private static void AssertEnds(List<SseItem<string>> items, string code, string text)
    {
        Assert.Equal(AdminRoutes.ProblemEvent, items[^1].EventType);
        Problem problem = JsonSerializer.Deserialize(items[^1].Data, AdminJson.Default.Problem)!;
        Assert.Equal(code, problem.Code);
        Assert.Contains(text, problem.Detail, StringComparison.Ordinal);
    }

    /// <summary>All that a stream says until the host ends it; something is done once it has begun.</summary>
    private static async Task<List<SseItem<string>>> ReadAsync(
        ApiHarness harness, string path, Func<SseItem<string>, bool> hasBegun, Func<Task> act)
    {
        HttpClient http = harness.Http(harness.Host.Admin.Token!.Reveal());
        var items = new List<SseItem<string>>();
        await using Stream stream = await http.GetStreamAsync(
            $"{AdminRoutes.Prefix}/applications/{ApiHarness.Shop}/{path}", Cancel);
        bool isDone = false;
        await foreach (SseItem<string> item in SseParser.Create(stream).EnumerateAsync(Cancel))
        {
            items.Add(item);
            if (!isDone && hasBegun(item))
            {
                isDone = true;
                await act();
            }
        }

        return items;
    }
}
