using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Ripple.Client;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>A release is whole and valid, or it is not seen.</summary>
public sealed class ValidationTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_release_that_fails_in_one_of_three_services_is_rejected_there_and_the_next_good_one_heals()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1));
        await using TestService one = await TestService.StartNewAsync(cluster, "one");
        await using TestService two = await TestService.StartNewAsync(cluster, "two");
        await using TestService picky = await TestService.StartNewAsync(cluster, "picky", build: builder =>
            builder.Services.AddOptions<ShopOptions>().Validate(o => o.Limit < 10, "This service serves fewer than 10."));

        ulong bad = await cluster.PublishAsync(Shop(50));
        WaitResult result = await cluster.WaitAsync(bad);

        Assert.Equal(WaitOutcome.CannotHold, result.Outcome);
        WaitMember member = Assert.Single(result.Members);
        Assert.Equal("picky", member.Name);
        Assert.Contains("ShopOptions: This service serves fewer than 10.", member.Reason, StringComparison.Ordinal);
        await Poll.UntilAsync(() => one.Shop.Limit == 50 && two.Shop.Limit == 50, "the release at the other two");
        Assert.Equal(1, picky.Shop.Limit);
        await Poll.UntilAsync(
            async () => (await cluster.Publisher.StatusAsync(TestCluster.Application, Token)).Members.Single(
                m => m.Name == "picky").Rejected == bad,
            "the status");
        MemberStatus status = (await cluster.Publisher.StatusAsync(TestCluster.Application, Token)).Members.Single(m => m.Name == "picky");
        Assert.Contains("fewer than 10", status.Reason, StringComparison.Ordinal);

        await cluster.PublishEverywhereAsync(Shop(7));

        Assert.All([one, two, picky], s => Assert.Equal(7, s.Shop.Limit));
    }

    [Fact]
    public async Task Every_kind_of_validation_and_every_name_is_asked_and_all_failures_are_the_reason()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1), ("Named", """{ "Limit": 1 }"""));
        await using TestService service = await TestService.StartNewAsync(cluster, build: builder =>
        {
            builder.Services.AddOptions<ShopOptions>("named").BindConfiguration("Named").ValidateDataAnnotations();
            builder.Services.AddSingleton<IValidateOptions<ShopOptions>>(new HalfIsEven());
        });

        WaitResult result = await cluster.WaitAsync(
            await cluster.PublishAsync(
                ("appsettings.json", """{ "Shop": { "Limit": 1, "Half": 3 } }"""), ("Named", """{ "Limit": 101 }""")));

        Assert.Contains("ShopOptions: Half is odd.", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
        // A ring brings the beginning of a reason; the node's own report all of it.
        await Poll.UntilAsync(
            async () =>
                (await cluster.Publisher.StatusAsync(TestCluster.Application, Token)).Members.Single(m => m.Name == "service").Reason
                == "ShopOptions: Half is odd. ShopOptions 'named': Limit: The field Limit must be between 1 and 100.",
            "the whole reason");
        Assert.Equal(0, service.Shop.Half);
        Assert.Equal(1, service.Monitor.Get("named").Limit);
        await cluster.PublishEverywhereAsync(("Named", """{ "Limit": 9 }"""), Shop(2));
        Assert.Equal(9, service.Monitor.Get("named").Limit);
    }

    [Fact]
    public async Task What_cannot_be_bound_is_rejected_and_the_value_is_told_to_nobody()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1));
        await using TestService service = await TestService.StartNewAsync(cluster);

        WaitResult result = await cluster.WaitAsync(
            await cluster.PublishAsync(("appsettings.json", """{ "Shop": { "Limit": "hunter2" } }""")));

        string reason = Assert.Single(result.Members).Reason;
        Assert.Contains("ShopOptions: what is at 'Shop:Limit' cannot be converted to System.Int32.", reason, StringComparison.Ordinal);
        Assert.DoesNotContain("hunter2", reason, StringComparison.Ordinal);
        Assert.DoesNotContain("hunter2", service.Log.Text, StringComparison.Ordinal);
        Assert.Equal(1, service.Shop.Limit);
    }

    [Fact]
    public async Task A_validator_that_tells_a_value_tells_it_to_nobody()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1));
        await using TestService service = await TestService.StartNewAsync(
            cluster, build: builder => builder.Services.AddSingleton<IValidateOptions<ShopOptions>>(new TitleIsNone()));

        WaitResult result = await cluster.WaitAsync(
            await cluster.PublishAsync(("appsettings.json", """{ "Shop": { "Title": "hunter2" } }""")));

        Assert.Contains("ShopOptions: The title *** is not none.", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
        Assert.DoesNotContain("hunter2", service.Log.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Keys_that_say_the_same_are_rejected_with_both_named()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1));
        await using TestService service = await TestService.StartNewAsync(cluster);

        WaitResult result = await cluster.WaitAsync(await cluster.PublishAsync(("Shop/Limit", "2")));

        Assert.Contains(
            "The keys 'Shop/Limit' and 'appsettings.json' both say 'Shop:Limit'.",
            Assert.Single(result.Members).Reason,
            StringComparison.Ordinal);
        Assert.Equal(1, service.Shop.Limit);
    }

    [Fact]
    public async Task A_validation_that_does_not_end_rejects_and_its_release_never_comes_into_effect()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1));
        using var hanging = new ManualResetEventSlim();
        RippleOptions limits = null!;
        await using TestService service = await TestService.StartNewAsync(
            cluster,
            configure: options => limits = options,
            build: builder =>
                builder.Services.AddOptions<ShopOptions>().Validate(o => o.Limit != 2 || hanging.Wait(Timeout.Infinite, Token)));

        // Not before: what a slow machine validates at the start has its time.
        limits.ValidationTimeout = TimeSpan.FromMilliseconds(100);
        WaitResult result = await cluster.WaitAsync(await cluster.PublishAsync(Shop(2)));
        Assert.Contains("took longer than", Assert.Single(result.Members).Reason, StringComparison.Ordinal);

        limits.ValidationTimeout = TestCluster.Patience;
        hanging.Set();
        await Poll.UntilAsync(
            async () => (await cluster.WaitAsync(await cluster.PublishAsync(Shop(3)))).Outcome == WaitOutcome.Held, "a good release");
        Assert.Equal(3, service.Shop.Limit);
    }

    [Fact]
    public async Task Nobody_sees_a_mix_or_an_exception_while_good_and_bad_releases_come()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Pair(0, 1));
        await using TestService service = await TestService.StartNewAsync(cluster);
        using var stop = new CancellationTokenSource();
        long reads = 0;
        Task[] hammers =
        [
            Hammer(() => service.Shop),
            Hammer(() =>
            {
                using IServiceScope scope = service.Host.Services.CreateScope();
                return scope.ServiceProvider.GetRequiredService<IOptionsSnapshot<ShopOptions>>().Value;
            }),
        ];

        for (int i = 1; i <= 40; i++)
        {
            await cluster.WaitAsync(await cluster.PublishAsync(Pair(i, i % 3 == 0 ? 1_000 : 1)));
        }

        await stop.CancelAsync();
        await Task.WhenAll(hammers);
        Assert.Equal(40, service.Shop.Half);
        Assert.True(Interlocked.Read(ref reads) > 0);

        Task Hammer(Func<ShopOptions> read) => Task.Run(
            () =>
            {
                while (!stop.IsCancellationRequested)
                {
                    ShopOptions seen = read();
                    Assert.Equal(seen.Half, seen.Other);
                    Assert.Equal(1, seen.Limit);
                    Interlocked.Increment(ref reads);
                }
            },
            Token);

        static (string, string?) Pair(int n, int limit) =>
            ("appsettings.json", $$"""{ "Shop": { "Half": {{n}}, "Limit": {{limit}}, "Other": {{n}} } }""");
    }

    [Fact]
    public async Task Options_whose_section_did_not_change_are_not_notified()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1), ("Named", """{ "Limit": 1 }"""));
        await using TestService service = await TestService.StartNewAsync(cluster, build: builder =>
            builder.Services.AddOptions<ShopOptions>("named").BindConfiguration("Named"));
        var told = new List<string?>();
        using IDisposable? listening = service.Monitor.OnChange((_, name) => told.Add(name));
        ShopOptions before = service.Shop;

        await cluster.PublishEverywhereAsync(("Elsewhere", "1"));
        await cluster.PublishEverywhereAsync(("Named", """{ "Limit": 2 }"""));
        Assert.Equal(["named"], told);
        Assert.Same(before, service.Shop);

        await cluster.PublishEverywhereAsync(Shop(2));
        Assert.Equal(["named", string.Empty], told);

        // What other sources change is passed on as ever.
        service.Get<IConfiguration>()["Unrelated"] = "x";
        ((IConfigurationRoot)service.Configuration).Reload();
        Assert.True(told.Count > 2);
    }

    [Fact]
    public async Task A_callback_that_throws_is_logged_and_counted_and_ends_nothing()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1));
        await using TestService service = await TestService.StartNewAsync(cluster);
        using var measured = new Measured();
        int told = 0;
        using IDisposable? throwing = service.Monitor.OnChange((_, _) => throw new InvalidOperationException("the user's fault"));
        using IDisposable? listening = service.Monitor.OnChange((_, _) => told++);
        using IDisposable raw = Microsoft.Extensions.Primitives.ChangeToken.OnChange(
            service.Configuration.GetReloadToken, () => throw new InvalidOperationException("another fault"));

        await cluster.PublishEverywhereAsync(Shop(2));
        await cluster.PublishEverywhereAsync(Shop(3));

        Assert.Equal(3, service.Shop.Limit);
        Assert.Equal(2, told);
        Assert.Contains("the user's fault", service.Log.Text, StringComparison.Ordinal);
        Assert.Contains("another fault", service.Log.Text, StringComparison.Ordinal);
        Assert.True(measured.Sum("ripple.hosting.callbacks.failed") >= 4, string.Join('\n', measured.Values));
    }

    [Fact]
    public async Task What_a_new_process_rejects_is_not_in_effect_in_the_background_and_the_next_good_release_heals()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1_000));
        await using TestService service = await TestService.StartNewAsync(
            cluster, configure: o => o.StartupMode = StartupMode.Background);
        await Poll.UntilAsync(
            () => service.Log.Text.Contains("The field Limit must be between 1 and 100.", StringComparison.Ordinal), "the rejection");
        Assert.Equal(0ul, service.Client.Current().Release);
        Assert.Equal(1, service.Shop.Limit);
        Assert.Null(service.Configuration["Shop:Limit"]);

        await cluster.PublishEverywhereAsync(Shop(5));

        Assert.Equal(5, service.Shop.Limit);
    }

    [Fact]
    public async Task Releases_are_measured_by_application_and_in_seconds()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1));
        await using TestService service = await TestService.StartNewAsync(cluster);
        using var measured = new Measured();

        await cluster.PublishEverywhereAsync(Shop(2));
        await cluster.WaitAsync(await cluster.PublishAsync(Shop(1_000)));

        Assert.True(measured.Sum("ripple.hosting.releases.applied") >= 1);
        Assert.True(measured.Sum("ripple.hosting.releases.rejected") >= 1);
        Assert.InRange(measured.Values.First(v => v.Instrument == "ripple.hosting.reload.duration").Value, 0, 30);
        Assert.All(measured.Values.Where(v => v.Tags.Length > 0), v => Assert.Equal("ripple.application=shop", v.Tags));
    }

    private static (string Key, string? Text) Shop(int limit) => ("appsettings.json", $$"""{ "Shop": { "Limit": {{limit}} } }""");

    private sealed class TitleIsNone : IValidateOptions<ShopOptions>
    {
        public ValidateOptionsResult Validate(string? name, ShopOptions options) =>
            options.Title == "none" ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail($"The title {options.Title} is not none.");
    }

    private sealed class HalfIsEven : IValidateOptions<ShopOptions>
    {
        public ValidateOptionsResult Validate(string? name, ShopOptions options) =>
            options.Half % 2 == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail("Half is odd.");
    }
}
