using System.Collections;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Tests.Engine;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Events by attributes: spaces set and read, events emitted and followed.</summary>
public sealed class EventTests : CmdletTest
{
    private readonly List<string> _emitted = [];

    public EventTests()
    {
        Cluster.Add("trades").Add("$trades").Add("stock");
        Cluster.Other = Answer;
    }

    [Fact]
    public void A_space_is_set_read_and_goes_through_the_pipeline()
    {
        Pipeline.Run<SetRippleSpaceCommand>(
            null, new { Application = "trades", Dimension = new[] { "price:real:0..10", "at:time" }, Note = "why" });
        Assert.Empty(Pipeline.Output);
        Assert.Equal("price:real:0..10 at:time", Cluster.Text("$trades", "space"));
        Assert.StartsWith(
            "Set the space of trades to 'price:real:0..10 at:time', and end the subscriptions that do not fit in it, on cluster c1",
            Pipeline.Questions[0].Description,
            StringComparison.Ordinal);

        RippleSpace space = new TestPipeline().Run<GetRippleSpaceCommand>(null, new { Application = new[] { "*" } })
            .Objects<RippleSpace>().Single();
        Assert.Equal(("trades", 1UL), (space.Application, space.Version));
        Assert.Equal(["price:real:0..10", "at:time"], space.Dimension);
        Pipeline = new TestPipeline { Answer = false }.Run<SetRippleSpaceCommand>(null, null, space);
        Assert.Equal(1UL, Cluster.Newest("$trades"));
    }

    [Fact]
    public void An_application_without_a_space_is_an_error_where_it_was_named()
    {
        Pipeline.Run<GetRippleSpaceCommand>(null, new { Application = new[] { "stock" } });
        Assert.Equal(["Ripple.not_found"], Pipeline.ErrorIds);
        Assert.Equal(
            "'stock' has no space for events. Set one: Set-RippleSpace stock price:real:0..1000", Pipeline.Errors[0].Exception.Message);
    }

    [Fact]
    public void Who_would_get_an_event_is_listed_with_how_many_wait()
    {
        Pipeline.Run<GetRippleSpaceCommand>(
            null, new { Application = new[] { "trades" }, Explain = new Hashtable { ["price"] = 1.5 } });

        RippleSubscription found = Pipeline.Objects<RippleSubscription>().Single();
        Assert.Equal(
            ("trades", "web-1", 3U, true, 7, true),
            (found.Application, found.Subscriber, found.Subscription, found.IsConnected, found.WaitingCount, found.Blocks));
        Assert.Equal(["price=1..2"], found.Where);
        Assert.Equal(["1 more would get it, and are not listed."], Pipeline.Warnings);
        Assert.Contains("GET /v1/applications/trades/space/subscribers?point=price%3D1.5", Cluster.Asked);
    }

    [Fact]
    public void An_event_is_emitted_with_numbers_and_times_as_a_host_reads_them()
    {
        var at = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(2));
        Pipeline.Run<SendRippleEventCommand>(null, new
        {
            Application = "trades",
            Point = new Hashtable { ["price"] = 1.5, ["volume"] = 100, ["at"] = at },
            Text = "sold",
            Until = EmitStage.Matched,
            PassThru = true,
        });

        Assert.Equal(["at=2026-01-02T01:04:05Z price=1.5 volume=100 sold Matched"], _emitted);
        RippleEmitted emitted = Pipeline.Objects<RippleEmitted>().Single();
        Assert.Equal(("trades", "n/1/1", EmitStage.Matched, 2), (emitted.Application, emitted.Id, emitted.Stage, emitted.SubscriberCount));
        Assert.StartsWith(
            "Emit an event of trades at at=2026-01-02T01:04:05Z price=1.5 volume=100 on cluster c1",
            Pipeline.Questions[0].Description,
            StringComparison.Ordinal);

        Pipeline = new TestPipeline().Run<SendRippleEventCommand>(
            null, new { Application = "trades", Point = new Hashtable { ["price"] = new object() } });
        Assert.Equal(["Ripple.invalid_value"], Pipeline.ErrorIds);
        Pipeline = new TestPipeline { Answer = false }.Run<SendRippleEventCommand>(
            null, new { Application = "trades", Point = new Hashtable { ["price"] = 1 } });
        Assert.Single(_emitted);
    }

    [Fact]
    public void Events_are_written_as_they_come_until_there_are_enough()
    {
        Pipeline.Run<WatchRippleEventCommand>(
            null, new { Application = "trades", Where = new[] { "price=1..2", "volume=0..5" }, Count = (int?)2, Block = true });

        RippleEvent[] shown = [.. Pipeline.Objects<RippleEvent>()];
        Assert.Equal(["n/1/1", "n/1/2"], shown.Select(e => e.Id));
        Assert.Equal(["price=1.5", "volume=2"], shown[0].Point);
        Assert.Equal(("trades", "sold", 0UL), (shown[0].Application, shown[0].Value, shown[0].Dropped));
        Assert.Equal([1, 2], Assert.IsType<byte[]>(shown[1].Value));
        Assert.Equal(3UL, shown[1].Dropped);
        Assert.Contains("GET /v1/applications/trades/events?where=price%3D1..2%2Cvolume%3D0..5&block=true", Cluster.Asked);
    }

    private static SpaceEvent Shown(int number, string? text, byte[]? bytes, ulong dropped) => new()
    {
        Id = string.Create(CultureInfo.InvariantCulture, $"n/1/{number}"),
        Point = new SortedDictionary<string, string>(StringComparer.Ordinal) { ["price"] = "1.5", ["volume"] = "2" },
        Text = text,
        Bytes = bytes,
        Dropped = dropped,
    };

    private static string Json(SpaceEvent shown) => JsonSerializer.Serialize(shown, AdminJson.Default.SpaceEvent);

    private HttpResponseMessage? Answer(HttpRequestMessage request, byte[] body)
    {
        string path = request.RequestUri!.AbsolutePath;
        if (path.EndsWith("/definitions", StringComparison.Ordinal))
        {
            string application = path.Split('/')[3];
            string? space = application == "trades" ? Cluster.Text("$trades", "space") : null;
            return FakeCluster.Ok(
                new DefinitionsInfo
                {
                    Application = application,
                    Release = 1,
                    Predicates = [],
                    Space = space is null ? null : new SpaceInfo { Text = space, Version = 1 },
                },
                AdminJson.Default.DefinitionsInfo);
        }

        if (path.EndsWith("/space/subscribers", StringComparison.Ordinal))
        {
            var found = new SpaceSubscription
            {
                Subscriber = "web-1",
                Subscription = 3,
                Where = ["price=1..2"],
                IsConnected = true,
                WaitingCount = 7,
                Blocks = true,
            };
            return FakeCluster.Ok(new SpaceSubscribers { Count = 2, Subscriptions = [found] }, AdminJson.Default.SpaceSubscribers);
        }

        if (!path.EndsWith("/events", StringComparison.Ordinal))
        {
            return null;
        }

        if (request.Method == HttpMethod.Get)
        {
            return FakeCluster.Events(
                (AdminRoutes.SpaceEvent, Json(Shown(1, "sold", null, 0))),
                (AdminRoutes.SpaceEvent, Json(Shown(2, null, [1, 2], 3))),
                (AdminRoutes.SpaceEvent, Json(Shown(3, "", null, 0))));
        }

        EmitRequest emit = JsonSerializer.Deserialize(body, AdminJson.Default.EmitRequest)!;
        string point = string.Join(' ', emit.Point.Select(p => $"{p.Key}={p.Value}").Order(StringComparer.Ordinal));
        _emitted.Add($"{point} {Encoding.UTF8.GetString(emit.Bytes!)} {emit.Until}");
        return FakeCluster.Ok(new EmittedEvent { Id = "n/1/1", Stage = emit.Until, SubscriberCount = 2 }, AdminJson.Default.EmittedEvent);
    }
}
