using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Configuration.Memory;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Ripple.Client;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>How many nodes a process is, and who holds them.</summary>
public sealed class NodeTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Configuration_and_services_of_one_name_are_one_node()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await using TestService service = await TestService.StartNewAsync(cluster, build: builder =>
        {
            builder.AddRipple();
            builder.Configuration.AddRipple();
            builder.Services.AddRipple();
        });

        MemberStatus member = Assert.Single(await MembersAsync(cluster));
        Assert.Equal(service.Client.NodeId, member.Node);
        Assert.Single(service.Get<IEnumerable<IHostedService>>(), s => s.GetType().Name == "RippleHostedService");
    }

    [Fact]
    public async Task A_provider_that_is_made_anew_neither_leaves_nor_joins()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop/Title", "first"));
        HostApplicationBuilder builder = TestService.NewBuilder(cluster, "service", new TestService.LogLines());
        builder.AddRipple();
        MemberStatus before = Assert.Single(await MembersAsync(cluster));

        for (int i = 0; i < 3; i++)
        {
            builder.Configuration.Sources.Insert(0, new MemoryConfigurationSource());
        }

        using IHost host = builder.Build();
        await host.StartAsync(Token);
        await cluster.PublishEverywhereAsync(("Shop/Title", "second"));
        MemberStatus after = Assert.Single(await MembersAsync(cluster));
        Assert.Equal((before.Node, before.Incarnation, MemberState.Present), (after.Node, after.Incarnation, after.State));
        Assert.Equal("second", host.Services.GetRequiredService<IConfiguration>()["Shop:Title"]);
        await host.StopAsync(Token);
    }

    [Fact]
    public async Task Adding_a_name_again_with_other_options_is_refused()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await using TestService service = await TestService.StartNewAsync(cluster, build: builder =>
            Assert.Contains(
                "was added to this configuration already",
                Assert.Throws<InvalidOperationException>(() => builder.AddRipple(configure: o => o.Prefix = "x")).Message,
                StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_name_whose_start_failed_may_be_added_again_with_other_options()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        HostApplicationBuilder builder = TestService.NewBuilder(cluster, "service", new TestService.LogLines());
        Assert.ThrowsAny<RippleException>(() => builder.AddRipple(configure: o => o.ConnectionString = "Endpoints=nowhere"));

        builder.AddRipple(configure: o => o.NodeName = "again");

        Assert.Equal("again", Assert.Single(await MembersAsync(cluster)).Name);
        ((IDisposable)builder.Configuration).Dispose();
    }

    [Fact]
    public async Task Two_hosts_of_a_process_are_two_nodes()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await using TestService one = await TestService.StartNewAsync(cluster, "one");
        await using TestService two = await TestService.StartNewAsync(cluster, "two");

        Assert.NotEqual(one.Client.NodeId, two.Client.NodeId);
        await cluster.PublishEverywhereAsync(("Shop/Title", "both"));
        Assert.Equal(("both", "both"), (one.Shop.Title, two.Shop.Title));
    }

    [Fact]
    public async Task Several_clusters_are_keyed_and_each_has_its_section()
    {
        await using TestCluster east = await TestCluster.StartNewAsync();
        await using TestCluster west = await TestCluster.StartNewAsync();
        HostApplicationBuilder builder = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(null);
        Add("east", east);
        Add("west", west);
        using IHost host = builder.Build();
        await host.StartAsync(Token);

        await east.PublishEverywhereAsync(("Title", "of the east"));
        await west.PublishEverywhereAsync(("Title", "of the west"));

        IConfiguration configuration = host.Services.GetRequiredService<IConfiguration>();
        Assert.Equal("of the east", configuration["east:Title"]);
        Assert.Equal("of the west", configuration["west:Title"]);
        Assert.NotEqual(
            host.Services.GetRequiredKeyedService<IRippleClient>("east").NodeId,
            host.Services.GetRequiredKeyedService<IRippleClient>("west").NodeId);
        Assert.Null(host.Services.GetService<IRippleClient>());
        await host.StopAsync(Token);

        void Add(string name, TestCluster cluster) => builder.AddKeyedRipple(name, options =>
        {
            options.ConnectionString = cluster.Connection;
            options.SnapshotPath = cluster.SnapshotPath(name);
            options.Prefix = name;
        });
    }

    [Fact]
    public async Task A_configuration_alone_follows_and_leaves_when_it_is_disposed_of()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Title", "first"));
        IConfigurationBuilder builder = new ConfigurationBuilder()
            .AddRipple(configure: o => o.SnapshotPath = cluster.SnapshotPath("alone"))
            .AddInMemoryCollection(new Dictionary<string, string?> { ["ConnectionStrings:ripple"] = cluster.Connection });
        IConfigurationRoot root = builder.Build();
        Assert.Equal("first", root["Title"]);

        await cluster.PublishEverywhereAsync(("Title", "second"));
        Assert.Equal("second", root["Title"]);
        ((IDisposable)root).Dispose();

        await Poll.UntilAsync(async () => (await MembersAsync(cluster)).All(m => m.State != MemberState.Present), "the goodbye");
        Assert.DoesNotContain(await MembersAsync(cluster), m => m.State == MemberState.Failed);
    }

    [Fact]
    public async Task Services_alone_have_a_client_and_no_configuration()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Title", "first"));
        HostApplicationBuilder builder = TestService.NewBuilder(cluster, "service", new TestService.LogLines());
        builder.Services.AddRipple();
        using IHost host = builder.Build();
        await host.StartAsync(Token);

        Assert.Equal(1ul, host.Services.GetRequiredService<IRippleClient>().Current().Release);
        Assert.Null(host.Services.GetRequiredService<IConfiguration>()["Title"]);
        Assert.Single(await MembersAsync(cluster));
        await host.StopAsync(Token);
    }

    [Fact]
    public async Task A_container_without_a_host_validates_and_may_be_disposed_of_either_way()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop/Limit", "1"));
        IConfigurationRoot root = new ConfigurationBuilder().AddRipple(configure: o =>
        {
            o.ConnectionString = cluster.Connection;
            o.StartupTimeout = TestCluster.Patience;
            o.SnapshotPath = cluster.SnapshotPath("bare");
        }).Build();
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(root);
        services.AddRipple();
        services.AddOptions<ShopOptions>().BindConfiguration("Shop").Validate(o => o.Limit < 10, "Too many.");
        ServiceProvider provider = services.BuildServiceProvider();
        Assert.Equal(1, provider.GetRequiredService<IOptionsMonitor<ShopOptions>>().CurrentValue.Limit);

        WaitResult result = await cluster.WaitAsync(await cluster.PublishAsync(("Shop/Limit", "50")));

        Assert.Contains("Too many.", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
        Assert.Single(await MembersAsync(cluster));
        _ = provider.GetRequiredService<IRippleClient>();
        provider.Dispose();
        ((IDisposable)root).Dispose();
        await Poll.UntilAsync(async () => (await MembersAsync(cluster)).All(m => m.State != MemberState.Present), "the goodbye");
    }

    [Fact]
    public async Task A_host_built_by_callbacks_follows_too()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Title", "first"));
        using IHost host = new HostBuilder()
            .AddRipple(configure: o =>
            {
                o.ConnectionString = cluster.Connection;
                o.StartupTimeout = TestCluster.Patience;
                o.SnapshotPath = cluster.SnapshotPath("callbacks");
            })
            .Build();
        await host.StartAsync(Token);
        await cluster.PublishEverywhereAsync(("Title", "second"));
        Assert.Equal("second", host.Services.GetRequiredService<IConfiguration>()["Title"]);
        Assert.Single(await MembersAsync(cluster));
        await host.StopAsync(Token);
    }

    [Fact]
    public async Task A_host_that_stops_has_left_and_keeps_its_configuration()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop/Title", "first"));
        await using TestService service = await TestService.StartNewAsync(cluster);

        await service.Host.StopAsync(Token);

        await Poll.UntilAsync(async () => (await MembersAsync(cluster)).All(m => m.State == MemberState.Left), "the goodbye");
        Assert.Equal("first", service.Shop.Title);
        Assert.Equal("first", service.Configuration["Shop:Title"]);
    }

    [Fact]
    public async Task Hosts_that_share_a_configuration_are_one_node_that_leaves_with_the_last()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop/Title", "first"));
        IConfigurationRoot shared = new ConfigurationBuilder().AddRipple(configure: o =>
        {
            o.ConnectionString = cluster.Connection;
            o.StartupTimeout = TestCluster.Patience;
            o.SnapshotPath = cluster.SnapshotPath("shared");
        }).Build();
        using IHost one = Build();
        using IHost two = Build();
        await one.StartAsync(Token);
        await two.StartAsync(Token);

        await one.StopAsync(Token);
        await cluster.PublishEverywhereAsync(("Shop/Title", "second"));

        Assert.Equal("second", two.Services.GetRequiredService<IOptionsMonitor<ShopOptions>>().CurrentValue.Title);
        Assert.Equal(MemberState.Present, Assert.Single(await MembersAsync(cluster)).State);
        await two.StopAsync(Token);
        await Poll.UntilAsync(async () => (await MembersAsync(cluster)).All(m => m.State == MemberState.Left), "the goodbye");
        ((IDisposable)shared).Dispose();

        IHost Build()
        {
            HostApplicationBuilder builder = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(null);
            builder.Configuration.AddConfiguration(shared);
            builder.Services.AddRipple();
            builder.Services.AddOptions<ShopOptions>().BindConfiguration("Shop");
            return builder.Build();
        }
    }

    [Fact]
    public async Task A_host_that_stops_or_is_disposed_does_not_wait_for_callbacks_that_hang()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        using var hanging = new ManualResetEventSlim();
        using var entered = new ManualResetEventSlim();
        TestService service = await TestService.StartNewAsync(cluster);
        using IDisposable? listening = service.Monitor.OnChange((_, _) =>
        {
            entered.Set();
            hanging.Wait(CancellationToken.None);
        });
        await cluster.PublishAsync(("Shop/Title", "first"));
        Assert.True(entered.Wait(TimeSpan.FromMinutes(2), Token));

        // Both end before the callback does, or never.
        await service.Host.StopAsync(Token);
        await Poll.UntilAsync(async () => (await MembersAsync(cluster)).All(m => m.State == MemberState.Left), "the goodbye");

        await service.DisposeAsync();
        hanging.Set();
    }

    private static async Task<IReadOnlyList<MemberStatus>> MembersAsync(TestCluster cluster) =>
        [.. (await cluster.Publisher.StatusAsync(TestCluster.Application, Token)).Members.Where(m => m.Name != "publisher")];
}
