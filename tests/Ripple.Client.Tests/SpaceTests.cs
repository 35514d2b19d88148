using System.Text;
using Ripple.Client.Tests.Hosting;
using Ripple.Gms;

namespace Ripple.Client.Tests;

/// <summary>Events of clients against a real host, over hosts that go and come.</summary>
public sealed class SpaceTests : ClientScenario
{
    [Fact]
    public async Task An_event_finds_the_subscriptions_whose_ranges_have_it_and_is_delivered_when_they_went_on()
    {
        await using TestHost host = await StartAsync();
        await using RippleClient client = await ConnectAsync(host, name: "n1");
        await using IAsyncEnumerator<RippleEvent> cheap = Subscribe(client, b => b.Where("price", 0, 10));
        await using IAsyncEnumerator<RippleEvent> all = Subscribe(client, null);
        ValueTask<bool> first = all.MoveNextAsync();
        ValueTask<bool> never = cheap.MoveNextAsync();

        EmittedEvent matched = await EmitUntilMatchedAsync(client, 15, 1);
        Assert.True(await first);
        Assert.Equal(("hello", 15.0, matched.Id), (Text(all.Current), all.Current.Point["price"].AsDouble(), all.Current.Id));
        Task<EmittedEvent> delivered = client.Space("shop").EmitAsync(Point(5), default, EmitUntil.Delivered, Token);
        Assert.True(await all.MoveNextAsync());
        Assert.True(await never);
        Assert.False(delivered.IsCompleted);
        ValueTask<bool> next = all.MoveNextAsync();
        ValueTask<bool> more = cheap.MoveNextAsync();
        Assert.Equal((EmitUntil.Delivered, 1), ((await delivered).Stage, (await delivered).Subscribers));
        await EmitUntilMatchedAsync(client, 1, 1);
        Assert.True(await next && await more);
    }

    [Fact]
    public async Task Over_a_start_of_the_host_nothing_is_missed_and_nothing_shown_twice()
    {
        await using TestHost host = await StartAsync();
        await using RippleClient client = await ConnectAsync(host, name: "n1");
        await using RippleClient emitter = await ConnectAsync(host, name: "n2");
        await using IAsyncEnumerator<RippleEvent> all = Subscribe(client, null);
        ValueTask<bool> first = all.MoveNextAsync();
        await EmitUntilMatchedAsync(emitter, 0, 1);
        Assert.True(await first);

        var emitted = new List<Task<EmittedEvent>>();
        for (int i = 1; i <= 60; i++)
        {
            emitted.Add(emitter.Space("shop").EmitAsync(Point(i), default, EmitUntil.Delivered, Token));
            if (i == 20)
            {
                await host.StopAsync();
            }
            else if (i == 40)
            {
                await host.StartAsync();
            }
        }

        for (int i = 1; i <= 60; i++)
        {
            Assert.True(await all.MoveNextAsync());
            Assert.Equal((i, 0L), (all.Current.Point["price"].AsInt64(), all.Current.Dropped));
        }

        ValueTask<bool> none = all.MoveNextAsync();
        Assert.All(await Task.WhenAll(emitted), e => Assert.Equal(EmitUntil.Delivered, e.Stage));
        Assert.False(none.IsCompleted);
        await EmitUntilMatchedAsync(emitter, 61, 1);
        Assert.True(await none);
        Assert.Equal(61, all.Current.Point["price"].AsInt64());
    }

    [Fact]
    public async Task What_is_not_in_the_space_is_thrown_by_name_and_the_end_of_the_client_ends_its_subscriptions()
    {
        await using TestHost host = await StartAsync();
        RippleClient client = await ConnectAsync(host, name: "n1");
        IRippleSpace space = client.Space("shop");
        RippleException refused = await Assert.ThrowsAsync<RippleException>(
            () => space.EmitAsync(new RipplePoint { ["price"] = double.NaN }, cancellationToken: Token));
        Assert.StartsWith("'price' is NaN.", refused.Message, StringComparison.Ordinal);
        refused = await Assert.ThrowsAsync<RippleException>(
            () => space.EmitAsync(Point(1), new byte[65_537], cancellationToken: Token));
        Assert.Equal(Engine.Protocol.ErrorCode.TooLarge, refused.Code);
        await using (IAsyncEnumerator<RippleEvent> wrong = Subscribe(client, b => b.Where("colour", 1, 2)))
        {
            refused = await Assert.ThrowsAsync<RippleException>(async () => await wrong.MoveNextAsync());
            Assert.StartsWith("The box has 'colour', which is no dimension of the space.", refused.Message, StringComparison.Ordinal);
        }

        await using IAsyncEnumerator<RippleEvent> all = Subscribe(client, null);
        ValueTask<bool> next = all.MoveNextAsync();
        await client.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await next);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => space.EmitAsync(Point(1), cancellationToken: Token));
    }

    [Fact]
    public async Task A_record_is_emitted_and_shown_and_what_does_not_fit_is_named()
    {
        await using TestHost host = await StartAsync();
        await using RippleClient client = await ConnectAsync(host, name: "n1");
        IRippleSpace space = client.Space("shop");
        await using IAsyncEnumerator<RippleTypedEvent<Sale>> sales =
            space.SubscribeAsync<Sale>(b => b.Where("price", 10, 20), Token).GetAsyncEnumerator(Token);
        ValueTask<bool> next = sales.MoveNextAsync();
        EmittedEvent emitted;
        do
        {
            emitted = await space.EmitAsync(new Sale(15.5), Encoding.UTF8.GetBytes("hello"), EmitUntil.Matched, Token);
        }
        while (emitted.Subscribers == 0);

        Assert.True(await next);
        Assert.Equal(
            (new Sale(15.5), emitted.Id, "hello", 0L),
            (sales.Current.Point, sales.Current.Id, Encoding.UTF8.GetString(sales.Current.Payload.Span), sales.Current.Dropped));

        RippleException refused = await Assert.ThrowsAsync<RippleException>(
            () => space.EmitAsync(new ColouredSale(1, 2), cancellationToken: Token));
        Assert.Equal(
            "The event has 'colour', which is no dimension of the space. The dimensions are 'price'. "
                + "The event is a ColouredSale, which has 'price' (Price), 'colour' (Colour).",
            refused.Message);
        await using IAsyncEnumerator<RippleTypedEvent<ColouredSale>> coloured =
            space.SubscribeAsync<ColouredSale>(cancellationToken: Token).GetAsyncEnumerator(Token);
        ValueTask<bool> first = coloured.MoveNextAsync();
        await EmitUntilMatchedAsync(client, 30, 1);
        refused = await Assert.ThrowsAsync<RippleException>(async () => await first);
        Assert.Equal(
            "ColouredSale.Colour has no dimension: the events of 'shop' have 'price', and none is 'colour'.", refused.Message);
    }

    [Fact]
    public async Task Who_has_emitters_wait_is_given_every_event_and_the_last_is_emitted_when_there_is_room()
    {
        await using TestHost host = await StartAsync(queueMax: 8);
        await using RippleClient client = await ConnectAsync(host, name: "n1");
        await using RippleClient emitter = await ConnectAsync(host, name: "n2");
        await using IAsyncEnumerator<RippleEvent> slow = client.Space("shop").SubscribeAsync(
            null, new RippleSubscribeOptions { WhenFull = FullQueue.Block }, Token).GetAsyncEnumerator(Token);
        ValueTask<bool> first = slow.MoveNextAsync();
        await EmitUntilMatchedAsync(emitter, 0, 1);
        Assert.True(await first);

        // Beside the one that was shown and not yet acknowledged, seven find room.
        Task<EmittedEvent>[] emitted =
            [.. Enumerable.Range(1, 8).Select(i => emitter.Space("shop").EmitAsync(Point(i), default, EmitUntil.Matched, Token))];
        await Task.WhenAll(emitted[..7]);
        Assert.False(emitted[7].IsCompleted);
        for (int i = 1; i <= 8; i++)
        {
            Assert.True(await slow.MoveNextAsync());
            Assert.Equal((i, 0L), (slow.Current.Point["price"].AsInt64(), slow.Current.Dropped));
        }

        Assert.Equal(1, (await emitted[7]).Subscribers);
    }

    private static async Task<TestHost> StartAsync(int queueMax = 1_024)
    {
        TestHost host = await TestHost.StartNewAsync(
            new GmsOptions
            {
                Events = new GmsEventOptions { GraceNs = 3_000_000_000, QueueEventsMax = queueMax, BlockNs = 60_000_000_000 },
            },
            "shop");
        await host.DefineAsync("$shop", "space", "price:real:0..1000:USD");
        return host;
    }

    private static IAsyncEnumerator<RippleEvent> Subscribe(RippleClient client, Action<RippleBox>? where) =>
        client.Space("shop").SubscribeAsync(where, Token).GetAsyncEnumerator(Token);

    private static RipplePoint Point(double price) => new() { ["price"] = price };

    private static string Text(RippleEvent got) => Encoding.UTF8.GetString(got.Payload.Span);

    /// <summary>A subscription that began a moment ago may come to the host behind an event: emits until so many get it.</summary>
    private static async Task<EmittedEvent> EmitUntilMatchedAsync(RippleClient client, double price, int count)
    {
        while (true)
        {
            EmittedEvent emitted = await client.Space("shop").EmitAsync(
                Point(price), Encoding.UTF8.GetBytes("hello"), EmitUntil.Matched, Token);
            if (emitted.Subscribers == count)
            {
                return emitted;
            }
        }
    }

    private sealed record Sale(double Price);

    private sealed record ColouredSale(double Price, long Colour);
}
