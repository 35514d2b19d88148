using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace Ripple.HostedProcess;

/// <summary>Says what the configuration shows to services when they start and at each reload, and each change a monitor tells of.</summary>
public sealed class ShopWitness(IConfiguration configuration, IOptionsMonitor<ShopOptions> monitor) : IHostedService, IDisposable
{
    private IDisposable? _reloads;
    private IDisposable? _changes;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        _reloads = ChangeToken.OnChange(configuration.GetReloadToken, Show);
        _changes = monitor.OnChange(o => Console.WriteLine($"told {o.Limit}"));
        Show();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public void Dispose()
    {
        _reloads?.Dispose();
        _changes?.Dispose();
    }

    private void Show() => Console.WriteLine($"shown {configuration["Shop:Limit"] ?? "0"}");
}
