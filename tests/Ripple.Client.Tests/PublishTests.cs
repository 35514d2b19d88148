using System.Collections.Concurrent;
using System.Text;
using Ripple.Client.Tests.Hosting;
using Ripple.Engine.Protocol;
using Ripple.Gms;

namespace Ripple.Client.Tests;

/// <summary>Publish, see, prove, go back: against a real host.</summary>
public sealed class PublishTests : ClientScenario
{
    private static readonly Refusal NotKnown = new(ErrorCode.StoreFailed, "Whether it was released is not known: the disk went away.");

    [Fact]
    public async Task Client_connects_publishes_and_sees_what_it_published()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        Assert.Equal(ConnectionState.Connected, client.ConnectionState);
        Assert.Null(client.LastError);
        Assert.False(client.NodeId.IsNone);
        Assert.Equal(0ul, client.Current().Release);

        PublishResult published = await client.PublishAsync(Publish("a", "1"), Token);
        RippleRelease seen = await SeeAsync(client, published.Release);

        Assert.Equal(1ul, published.Release);
        Assert.Equal(published.Id, seen.Id);
        Assert.Equal("note", seen.Note);
        Assert.NotEqual("", seen.Actor);
        Assert.InRange(seen.Time, DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddHours(1));
        Assert.Equal(["a"], seen.ChangedKeys);
        Assert.Equal("1", ValueOf(client, "a"));
        Assert.False(client.TryGet("b", out _));
    }

    [Fact]
    public async Task Every_client_gets_every_release_in_order_and_a_wait_says_when()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        await using RippleClient reader = await ConnectAsync(host, name: "n2");
        // In effect is what is newest: a reader that falls behind passes over some. The history has each.
        var seen = new List<ulong>();
        var told = new List<ulong>();
        Task hearing = Task.Run(
            async () =>
            {
                var before = new HistoryEntry { Release = 0 };
                await foreach (HistoryEntry entry in reader.WatchHistoryAsync(after: before, cancellationToken: Token))
                {
                    told.Add(entry.Release);
                    if (entry.Release == 20)
                    {
                        return;
                    }
                }
            },
            Token);
        Task watching = Task.Run(
            async () =>
            {
                await foreach (RippleRelease release in reader.WatchAsync(cancellationToken: Token))
                {
                    seen.Add(release.Release);
                    if (release.Release == 20)
                    {
                        return;
                    }
                }
            },
            Token);
        for (int i = 1; i <= 20; i++)
        {
            await publisher.PublishAsync(Publish("a", i.ToString(System.Globalization.CultureInfo.InvariantCulture)), Token);
        }

        var progress = new ConcurrentQueue<WaitProgress>();
        WaitResult result = await publisher.WaitAsync(
            "shop", 20, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), new Progress(progress.Enqueue), Token);
        await watching;
        await hearing;

        Assert.Equal(WaitOutcome.Held, result.Outcome);
        Assert.Equal((2, 1u), (result.Total, result.Generation));
        result = await publisher.WaitAsync("shop", 1, 20, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), null, Token);
        Assert.Equal((WaitOutcome.Held, 2, 1u), (result.Outcome, result.Total, result.Generation));
        RippleException refused = await Assert.ThrowsAsync<RippleException>(
            () => publisher.WaitAsync("shop", 0, 20, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), null, Token));
        Assert.Equal(ErrorCode.InvalidRequest, refused.Code);
        Assert.Empty(result.Members);
        Assert.Equal("20", ValueOf(reader, "a"));
        Assert.Equal(Enumerable.Range(1, 20).Select(r => (ulong)r), told);
        Assert.Equal(seen.Distinct().Order(), seen);
    }

    [Fact]
    public async Task A_release_is_verified_once_for_all_clients_of_a_process()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient first = await ConnectAsync(host, name: "n1");
        await using RippleClient second = await ConnectAsync(host, name: "n2");
        await using RippleClient third = await ConnectAsync(host, name: "n3");
        long before = first.Verifications;
        PublishResult published = await first.PublishAsync(Publish("a", "1"), Token);
        await SeeAsync(first, published.Release);
        await SeeAsync(second, published.Release);
        await SeeAsync(third, published.Release);
        Assert.Equal(before + 1, first.Verifications);
    }

    [Fact]
    public async Task Refused_publishes_say_why()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        PublishResult first = await client.PublishAsync(Publish("a", "1"), Token);

        RipplePublishException e = await Refused(Publish("a", "2") with { ExpectedRelease = 0 });
        Assert.Equal(ErrorCode.WrongExpectedRelease, e.Code);
        Assert.Equal(1ul, e.NewestRelease);

        e = await Refused(Publish("a", "2") with { ExpectedRelease = 1, ExpectedGeneration = 2 });
        Assert.Equal((ErrorCode.WrongExpectedRelease, 1u, 1ul), (e.Code, e.NewestGeneration, e.NewestRelease));
        Assert.Equal(ErrorCode.InvalidRequest, (await Refused(Publish("a", "2") with { ExpectedGeneration = 1 })).Code);
        Assert.Equal(ErrorCode.PublishIdReused, (await Refused(Publish("a", "2") with { PublishId = first.PublishId })).Code);
        Assert.Equal(ErrorCode.InvalidJson, (await Refused(Publish("a.json", "{ nonsense"))).Code);
        Assert.Equal(ErrorCode.UnknownApplication, (await Refused(Publish("a", "2") with { Application = "nowhere" })).Code);
        Assert.Equal(ErrorCode.InvalidRequest, (await Refused(new PublishRequest())).Code);
        Assert.Equal(ErrorCode.InvalidRequest, (await Refused(Publish("a", "2") with { Remove = ["a"] })).Code);
        Assert.Equal(ErrorCode.InvalidRequest, (await Refused(Publish("a\u0001", "2"))).Code);
        Assert.Equal(ErrorCode.TooLarge, (await Refused(Publish("a", new string('x', (16 << 20) + 1)))).Code);
        Assert.Equal(1ul, (await client.StatusAsync("shop", Token)).Release);

        async Task<RipplePublishException> Refused(PublishRequest request)
        {
            RipplePublishException refused = await Assert.ThrowsAsync<RipplePublishException>(() => client.PublishAsync(request, Token));
            Assert.Equal(request.PublishId, refused.PublishId);
            Assert.True(refused.Message.Length > 20, refused.Message);
            return refused;
        }
    }

    [Fact]
    public async Task Keys_and_what_stands_beside_each_fit_a_frame()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        // 519 bytes each in the frame, of which 122,880 are for keys: one too many.
        var request = new PublishRequest
        {
            Set = Enumerable.Range(0, 237).ToDictionary(
                i => $"{i:000}{new string('k', 509)}", _ => (ReadOnlyMemory<byte>)"1"u8.ToArray()),
        };
        RipplePublishException e = await Assert.ThrowsAsync<RipplePublishException>(() => client.PublishAsync(request, Token));
        Assert.Equal(ErrorCode.TooLarge, e.Code);
        Assert.Contains("123003 bytes of keys", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_same_publish_is_released_once()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        PublishRequest request = Publish("a", "1");
        PublishResult[] results = await Task.WhenAll(
            client.PublishAsync(request, Token), client.PublishAsync(request, Token), client.PublishAsync(request, Token));
        Assert.All(results, r => Assert.Equal(results[0], r));
        Assert.Equal(1ul, (await client.StatusAsync("shop", Token)).Release);
    }

    [Fact]
    public async Task A_publish_of_which_the_store_does_not_know_is_asked_again_with_its_id_and_released_once()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        host.PublishRefusals.Enqueue(NotKnown);
        host.PublishRefusals.Enqueue(NotKnown);
        PublishRequest request = Publish("a", "1");
        Assert.Equal(1ul, (await client.PublishAsync(request, Token)).Release);
        Assert.Equal([request.PublishId, request.PublishId, request.PublishId], host.Prepared);
        host.PublishRefusals.Enqueue(NotKnown);
        host.PublishRefusals.Enqueue(new Refusal(ErrorCode.InvalidRequest, "This is a refusal for good."));
        RipplePublishException refused = await Assert.ThrowsAsync<RipplePublishException>(
            () => client.PublishAsync(Publish("a", "2"), Token));
        Assert.Equal(ErrorCode.InvalidRequest, refused.Code);
    }

    [Fact]
    public async Task A_publish_that_stays_not_known_ends_at_its_timeout_and_says_so_with_the_answer()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(
            host, new RippleClientOptions { PublishTimeout = TimeSpan.FromMilliseconds(300) });
        for (int i = 0; i < 100; i++)
        {
            host.PublishRefusals.Enqueue(NotKnown);
        }

        PublishRequest request = Publish("a", "1");
        RippleTimeoutException e = await Assert.ThrowsAsync<RippleTimeoutException>(() => client.PublishAsync(request, Token));
        Assert.Contains(request.PublishId.ToString(), e.Message, StringComparison.Ordinal);
        Assert.Contains(NotKnown.Text, e.Message, StringComparison.Ordinal);
        Assert.Contains("same publish id", e.Message, StringComparison.Ordinal);
        Assert.All(host.Prepared, id => Assert.Equal(request.PublishId, id));
    }

    [Fact]
    public async Task Large_values_arrive_whole()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        await using RippleClient reader = await ConnectAsync(host, name: "n2");
        byte[] large = new byte[5 << 20];
        new Random(1).NextBytes(large);
        byte[] small = [1, 2, 3];
        await publisher.PublishAsync(
            new() { Set = new Dictionary<string, ReadOnlyMemory<byte>> { ["large"] = large, ["empty"] = default, ["small"] = small } },
            Token);
        RippleRelease seen = await SeeAsync(reader, 1);
        Assert.True(seen.Values["large"].Span.SequenceEqual(large));
        Assert.True(seen.Values["small"].Span.SequenceEqual(small));
        Assert.Equal(0, seen.Values["empty"].Length);
    }

    [Fact]
    public async Task The_past_can_be_listed_read_and_brought_back()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        for (int i = 1; i <= 5; i++)
        {
            await client.PublishAsync(Publish("a", $"v{i}"), Token);
        }

        var history = new List<HistoryEntry>();
        await foreach (HistoryEntry entry in client.HistoryAsync("shop", cancellationToken: Token))
        {
            history.Add(entry);
        }

        Assert.Equal([5ul, 4ul, 3ul, 2ul, 1ul], history.Select(h => h.Release));
        Assert.All(history, h => Assert.Equal(["a"], h.Keys));
        Assert.Equal("v2", Encoding.UTF8.GetString((await client.ReadAsync("shop", "a", 2, Token))!.Value.Span));
        Assert.Equal("v5", Encoding.UTF8.GetString((await client.ReadAsync("shop", "a", cancellationToken: Token))!.Value.Span));
        Assert.Null(await client.ReadAsync("shop", "b", cancellationToken: Token));
        Assert.Null(await client.ReadAsync("shop", "a", 77, Token));

        PublishResult back = await client.RollbackAsync("shop", 2, "v5 was bad", cancellationToken: Token);
        RippleRelease seen = await SeeAsync(client, back.Release);
        Assert.Equal(6ul, back.Release);
        Assert.Equal("v5 was bad", seen.Note);
        Assert.Equal("v2", ValueOf(client, "a"));
        RipplePublishException e = await Assert.ThrowsAsync<RipplePublishException>(
            () => client.RollbackAsync("shop", 99, cancellationToken: Token));
        Assert.Equal(ErrorCode.NotFound, e.Code);
        e = await Assert.ThrowsAsync<RipplePublishException>(
            () => client.RollbackAsync("shop", 2, expectedRelease: 6, expectedGeneration: 2, cancellationToken: Token));
        Assert.Equal((ErrorCode.WrongExpectedRelease, 1u, 6ul), (e.Code, e.NewestGeneration, e.NewestRelease));
        e = await Assert.ThrowsAsync<RipplePublishException>(
            () => client.RollbackAsync("shop", 2, expectedGeneration: 1, cancellationToken: Token));
        Assert.Equal(ErrorCode.InvalidRequest, e.Code);
        Assert.Equal(7ul, (await client.RollbackAsync(
            "shop", 3, expectedRelease: 6, expectedGeneration: 1, cancellationToken: Token)).Release);
    }

    [Fact]
    public async Task An_administrator_creates_applications_once()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        await client.CreateApplicationAsync("cart", Token);
        RippleException e = await Assert.ThrowsAsync<RippleException>(() => client.CreateApplicationAsync("cart", Token));
        Assert.Equal(ErrorCode.AlreadyExists, e.Code);
        await client.PublishAsync(Publish("a", "1") with { Application = "cart" }, Token);
        e = Assert.Throws<RippleException>(() => client.Current("cart"));
        Assert.Contains("Interest", e.Message, StringComparison.Ordinal);
    }
}
