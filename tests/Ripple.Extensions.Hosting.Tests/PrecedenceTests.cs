using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>Where releases stand among the sources.</summary>
public sealed class PrecedenceTests
{
    [Theory]
    [InlineData(RipplePrecedence.BelowEnvironment, "environment", "arguments")]
    [InlineData(RipplePrecedence.Highest, "release", "release")]
    public async Task Files_are_below_and_the_environment_is_where_the_option_says(RipplePrecedence precedence, string first, string second)
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        string id = Guid.NewGuid().ToString("N");
        await cluster.PublishAsync(($"Of{id}/Environment", "release"), ($"Of{id}/Arguments", "release"), ($"Of{id}/File", "release"));
        string folder = Directory.CreateTempSubdirectory("ripple-precedence-").FullName;
        string file = "{ \"Of" + id + "\": { \"File\": \"file\", \"Environment\": \"file\", \"Only\": \"file\" } }";
        await File.WriteAllTextAsync(Path.Combine(folder, "appsettings.json"), file, TestContext.Current.CancellationToken);
        Environment.SetEnvironmentVariable($"Of{id}__Environment", "environment");
        try
        {
            HostApplicationBuilder builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings
            {
                ContentRootPath = folder,
                Args = [$"--Of{id}:Arguments=arguments", $"--ConnectionStrings:ripple={cluster.Connection}"],
            });
            builder.AddRipple(configure: o =>
            {
                o.Precedence = precedence;
                o.SnapshotPath = cluster.SnapshotPath("precedence");
            });
            using IHost host = builder.Build();
            IConfigurationSection section = builder.Configuration.GetSection($"Of{id}");
            Assert.Equal(("release", "file"), (section["File"], section["Only"]));
            Assert.Equal((first, second), (section["Environment"], section["Arguments"]));
        }
        finally
        {
            Environment.SetEnvironmentVariable($"Of{id}__Environment", null);
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void Without_the_environment_the_command_line_is_above()
    {
        var builder = new ConfigurationBuilder();
        builder.AddInMemoryCollection().AddCommandLine(["--a=1"]);
        builder.AddRipple(configure: o => o.ConnectionString = "later");
        Assert.Equal("RippleConfigurationSource", builder.Sources[1].GetType().Name);
    }
}
