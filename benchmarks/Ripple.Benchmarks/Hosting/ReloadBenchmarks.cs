using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Ripple.Client;
using Ripple.Extensions.Hosting;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Connections;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Benchmarks.Hosting;

/// <summary>
/// A release becomes the configuration of a .NET host: spread, bound and validated aside, swapped, and told to who listens. On the thread
/// pool.
/// </summary>
public class ReloadBenchmarks
{
    private readonly RippleRelease[] _releases = [Release(1), Release(2)];
    private readonly SectionMap _table = new(new RippleOptions());
    private ConfigurationManager? _configuration;
    private ServiceProvider? _services;
    private RippleConnection? _connection;
    private int _index;
    private long _changes;

    [GlobalSetup]
    public void SetUp()
    {
        _configuration = new ConfigurationManager();
        // Without a connection string no node is started: releases are handed in below.
        _configuration.AddRipple(configure: o => o.Optional = true);
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(_configuration);
        services.AddRipple();
        services.AddOptions<ShopOptions>().BindConfiguration("shop").Validate(o => o.Limit > 0);
        _services = services.BuildServiceProvider();
        _services.GetRequiredService<OptionsValidator>().EnsureAttached();
        _services.GetRequiredService<IOptionsMonitor<ShopOptions>>().OnChange(o => _changes += o.Limit);
        _connection = _services.GetRequiredKeyedService<ConnectionHolder>("ripple").Connection;
        Reload();
        if (_changes == 0)
        {
            throw new InvalidOperationException("A release came, and OnChange was not called.");
        }
    }

    [GlobalCleanup]
    public void CleanUp()
    {
        _services?.Dispose();
        _configuration?.Dispose();
    }

    /// <summary>From the release to the end of <c>OnChange</c>.</summary>
    [Benchmark]
    public bool Reload() =>
        _connection!.TakeAsync(_releases[_index ^= 1], CancellationToken.None).AsTask().GetAwaiter().GetResult().IsAccepted;

    /// <summary>A part of it: keys and JSON become paths and values.</summary>
    [Benchmark]
    public object? Spread() => _table.TryFlatten(_releases[0], out _);

    private static RippleRelease Release(ulong number) => new()
    {
        Application = "shop",
        Generation = 1,
        Release = number,
        Values = new Dictionary<string, ReadOnlyMemory<byte>>
        {
            ["shop.json"] = Encoding.UTF8.GetBytes(
                $$"""{ "currency": "EUR", "limit": {{number}}, "regions": ["north", "south", "east", "west"] }"""),
            ["motd"] = Encoding.UTF8.GetBytes("Welcome."),
        },
    };
}
