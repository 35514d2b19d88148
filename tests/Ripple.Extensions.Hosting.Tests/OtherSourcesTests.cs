using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Ripple.Client;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>Releases are added without another source being read again: some can be read once alone, and some cost.</summary>
public sealed class OtherSourcesTests
{
    public enum Shape
    {
        HostBuilder,
        Configuration,
        CallbackHostBuilder,
        ConfigurationBuilder,
    }

    [Theory]
    [InlineData(Shape.HostBuilder)]
    [InlineData(Shape.Configuration)]
    [InlineData(Shape.CallbackHostBuilder)]
    [InlineData(Shape.ConfigurationBuilder)]
    public async Task A_stream_may_stand_before_releases(Shape shape)
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop/Title", "released"));
        string path = cluster.SnapshotPath("stream").Replace('\\', '/');
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes(
            $$"""
            { "Shop": { "Title": "stream", "Other": "stream" }, "ConnectionStrings": { "ripple": "{{cluster.Connection}}" },
              "Ripple": { "ripple": { "SnapshotPath": "{{path}}", "StartupTimeout": "00:02:00" } } }
            """));

        (IConfiguration configuration, IDisposable owner) = Build(shape, stream);

        Assert.Equal(("released", "stream"), (configuration["Shop:Title"], configuration["Shop:Other"]));
        owner.Dispose();
    }

    [Fact]
    public async Task Another_source_is_loaded_once_and_may_be_above()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Of/Arguments", "released"), ("Of/Counted", "released"), ("Of/Twice", "released"));
        HostApplicationBuilder builder = TestService.NewBuilder(cluster, "service", new TestService.LogLines());
        var counted = new CountedSource();
        builder.Configuration.Sources.Add(counted);
        builder.Configuration.AddCommandLine(["--Of:Arguments=arguments"]);
        Assert.ThrowsAny<RippleException>(() => builder.AddRipple(configure: o => o.ConnectionString = "Endpoints=nowhere"));

        builder.AddRipple();
        builder.AddKeyedRipple("second", o =>
        {
            o.ConnectionString = cluster.Connection;
            o.Keys.Add("Of/Twice");
            o.NodeName = "second";
            o.SnapshotPath = cluster.SnapshotPath("second");
        });

        Assert.Equal((1, 1), (counted.BuildCount, counted.LoadCount));
        IConfigurationSection section = builder.Configuration.GetSection("Of");
        Assert.Equal(("arguments", "released", "released"), (section["Arguments"], section["Counted"], section["Twice"]));

        // What is added later is above; what the builder reads again stays where it was.
        builder.Configuration.Sources.Insert(0, new CountedSource());
        builder.Configuration.AddInMemoryCollection([new("Of:Twice", "later")]);
        Assert.Equal(("arguments", "released", "later"), (section["Arguments"], section["Counted"], section["Twice"]));
        using IHost host = builder.Build();
    }

    private static (IConfiguration Configuration, IDisposable Owner) Build(Shape shape, Stream stream)
    {
        switch (shape)
        {
            case Shape.ConfigurationBuilder:
                IConfigurationRoot root = new ConfigurationBuilder().AddJsonStream(stream).AddRipple().Build();
                return (root, (IDisposable)root);
            case Shape.CallbackHostBuilder:
                IHost old = new HostBuilder().ConfigureAppConfiguration(c => c.AddJsonStream(stream)).AddRipple().Build();
                return ((IConfiguration)old.Services.GetService(typeof(IConfiguration))!, old);
            default:
                HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
                builder.Configuration.AddJsonStream(stream);
                if (shape == Shape.HostBuilder)
                {
                    builder.AddRipple();
                }
                else
                {
                    builder.Configuration.AddRipple();
                }

                return (builder.Configuration, builder.Build());
        }
    }

    private sealed class CountedSource : IConfigurationSource
    {
        public int BuildCount { get; private set; }

        public int LoadCount { get; private set; }

        public IConfigurationProvider Build(IConfigurationBuilder builder)
        {
            BuildCount++;
            return new Provider(this);
        }

        private sealed class Provider(CountedSource source) : ConfigurationProvider
        {
            public override void Load()
            {
                source.LoadCount++;
                Data["Of:Counted"] = "counted";
            }
        }
    }
}
