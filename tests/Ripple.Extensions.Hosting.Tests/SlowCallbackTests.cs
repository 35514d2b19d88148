using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;
using Ripple.Client;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>A callback that hangs costs itself: all readers have the release before the first callback is called.</summary>
public sealed class SlowCallbackTests : IDisposable
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(100);
    private readonly ManualResetEventSlim _entered = new();
    private readonly ManualResetEventSlim _ended = new();
    private RippleOptions _limits = null!;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task All_options_of_a_release_are_served_before_a_callback_can_hold_them_up(bool isRaw)
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Pair(1));
        await using TestService service = await StartAsync(cluster);
        using var end = new End(_ended);
        Assert.Equal([1, 1, 1, 1], Served(service));
        Action[] stops = isRaw
            ? [ChangeToken.OnChange(service.Configuration.GetReloadToken, Hang).Dispose]
            : [Hanging<A>(service), Hanging<B>(service), Hanging<C>(service), Hanging<C>(service, "named")];

        ulong release = await cluster.PublishAsync(Pair(9));
        Assert.True(_entered.Wait(TestCluster.Patience, Token));

        Assert.Equal("9", service.Configuration["Pair:V"]);
        Assert.Equal([9, 9, 9, 9], Served(service));
        using (IServiceScope request = service.Host.Services.CreateScope())
        {
            Assert.Equal(
                [9, 9, 9],
                [SnapshotOf<A>(request).V, SnapshotOf<B>(request).V, SnapshotOf<C>(request).V]);
        }

        _ended.Set();
        Assert.Equal(WaitOutcome.Held, (await cluster.WaitAsync(release)).Outcome);
        Array.ForEach(stops, stop => stop());
    }

    [Fact]
    public async Task A_callback_that_hangs_holds_up_no_other_and_no_later_release()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Pair(1));
        await using TestService service = await StartAsync(cluster);
        using var end = new End(_ended);
        var slow = new ConcurrentQueue<int>();
        var beside = new ConcurrentQueue<int>();
        var elsewhere = new ConcurrentQueue<int>();
        using IDisposable? hanging = Monitor<B>(service).OnChange((options, _) =>
        {
            slow.Enqueue(options.V);
            Hang();
        });
        using IDisposable? next = Monitor<B>(service).OnChange((options, _) => beside.Enqueue(options.V));
        using IDisposable? other = Monitor<A>(service).OnChange((options, _) => elsewhere.Enqueue(options.V));
        _limits.ValidationTimeout = Short;

        for (int v = 2; v <= 4; v++)
        {
            // Again where the machine is so slow that the validation did not end in time.
            WaitResult result;
            while ((result = await cluster.WaitAsync(await cluster.PublishAsync(Pair(v)))).Outcome != WaitOutcome.Held)
            {
                Assert.Contains(
                    "The validation of the options took longer", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
            }

            Assert.Equal([v, v, v, v], Served(service));
            await Poll.UntilAsync(() => beside.Contains(v) && elsewhere.Contains(v), $"{v} at the other callbacks");
        }

        Assert.Equal([2], slow);
        _limits.ValidationTimeout = TestCluster.Patience;
        _ended.Set();
        await Poll.UntilAsync(() => slow.Contains(4), "the newest at the callback that hung");
        Assert.Equal([2, 4], slow);
        await cluster.PublishEverywhereAsync(Pair(5));
        Assert.Equal([2, 4, 5], slow);
    }

    public void Dispose()
    {
        _entered.Dispose();
        _ended.Dispose();
    }

    private static IOptionsMonitor<T> Monitor<T>(TestService service) => service.Get<IOptionsMonitor<T>>();

    private static T SnapshotOf<T>(IServiceScope scope)
        where T : class => scope.ServiceProvider.GetRequiredService<IOptionsSnapshot<T>>().Value;

    private static int[] Served(TestService service) =>
    [
        Monitor<A>(service).CurrentValue.V,
        Monitor<B>(service).CurrentValue.V,
        Monitor<C>(service).CurrentValue.V,
        Monitor<C>(service).Get("named").V,
    ];

    private static (string Key, string? Text) Pair(int v) => ("Pair", $$"""{ "V": {{v}} }""");

    private Task<TestService> StartAsync(TestCluster cluster) => TestService.StartNewAsync(
        cluster,
        configure: options => _limits = options,
        build: builder =>
        {
            builder.Services.AddOptions<A>().BindConfiguration("Pair");
            builder.Services.AddOptions<B>().BindConfiguration("Pair");
            builder.Services.AddOptions<C>().BindConfiguration("Pair");
            builder.Services.AddOptions<C>("named").BindConfiguration("Pair");
        });

    private Action Hanging<T>(TestService service, string? name = null) =>
        Monitor<T>(service).OnChange((_, changed) =>
        {
            if (changed == (name ?? string.Empty))
            {
                Hang();
            }
        })!.Dispose;

    private void Hang()
    {
        _entered.Set();
        _ended.Wait(TestCluster.Patience, CancellationToken.None);
    }

    /// <summary>Ends what hangs when a test ends, before the service does.</summary>
    private sealed class End(ManualResetEventSlim ended) : IDisposable
    {
        public void Dispose() => ended.Set();
    }

    private sealed class A
    {
        public int V { get; set; }
    }

    private sealed class B
    {
        public int V { get; set; }
    }

    private sealed class C
    {
        public int V { get; set; }
    }
}
