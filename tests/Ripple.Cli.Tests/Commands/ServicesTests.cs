using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Ripple.Cli.Tests.Hosting;
using Ripple.Client;

namespace Ripple.Cli.Tests.Commands;

/// <summary>Services as their developers write them, and the administrator who publishes to them.</summary>
public sealed class ServicesTests(CliHost host) : CommandTest(host)
{
    [Fact]
    public async Task A_release_invalid_for_one_of_three_services_is_named_by_who_has_and_healed_by_the_next_good_one()
    {
        string application = await ApplicationAsync();
        await PublishAsync(application, 10);
        string connection = (await File.ReadAllTextAsync(Host.AdminConnection, TestContext.Current.CancellationToken)).Trim();
        using IHost first = await ServiceAsync(connection, application, "web-1", 1_000);
        using IHost second = await ServiceAsync(connection, application, "web-2", 1_000);
        using IHost strict = await ServiceAsync(connection, application, "strict", 50);

        CliRun bad = await RunAsync("publish", application, $"limits.json={await FileAsync(99)}", "--wait");
        CliRun whoHas = (await RunAsync("who-has", application)).Done();

        Assert.Equal(3, bad.Code);
        Assert.Equal($"2 of 3 have {application} release 2:", whoHas.Lines[0]);
        Assert.Contains(whoHas.Lines, l => l.StartsWith("rejected  strict", StringComparison.Ordinal) && l.Contains(
            "Max is over this service's", StringComparison.Ordinal));
        Assert.Equal([99, 99, 10], new[] { first, second, strict }.Select(MaxOf));

        (await RunAsync("publish", application, $"limits.json={await FileAsync(20)}", "--wait")).Done();
        Assert.Equal([20, 20, 20], new[] { first, second, strict }.Select(MaxOf));
        Assert.Equal($"3 of 3 have {application} release 3", Assert.Single((await RunAsync("who-has", application)).Done().Lines));
    }

    private static int MaxOf(IHost service) => service.Services.GetRequiredService<IOptionsMonitor<Limits>>().CurrentValue.Max;

    private static async Task<IHost> ServiceAsync(string connection, string application, string name, int max)
    {
        var builder = new HostApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.AddRipple("ripple", options =>
        {
            options.ConnectionString = connection;
            options.Application = application;
            options.NodeName = name;
            options.ConfigureClient = client => client with { SnapshotMode = SnapshotMode.Off };
        });
        builder.Services.AddOptions<Limits>().BindConfiguration("limits").Validate(l => l.Max <= max, "Max is over this service's");
        IHost service = builder.Build();
        await service.StartAsync(TestContext.Current.CancellationToken);
        return service;
    }

    private async Task PublishAsync(string application, int max) =>
        (await RunAsync("publish", application, $"limits.json={await FileAsync(max)}")).Done();

    private async Task<string> FileAsync(int max)
    {
        string path = Folder.PathOf($"limits-{max}.json");
        await File.WriteAllTextAsync(path, $$"""{ "Max": {{max}} }""", TestContext.Current.CancellationToken);
        return path;
    }

    private sealed class Limits
    {
        public int Max { get; set; }
    }
}
