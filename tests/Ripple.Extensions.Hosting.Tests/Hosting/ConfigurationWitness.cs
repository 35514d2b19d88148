using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Primitives;

namespace Ripple.Extensions.Hosting.Tests.Hosting;

/// <summary>A service that notes what the configuration shows at a path when it starts, and at every reload after that.</summary>
internal sealed class ConfigurationWitness : IHostedService, IDisposable
{
    private readonly IConfiguration _configuration;
    private readonly string _path;
    private readonly List<string?> _seen;
    private IDisposable? _listening;

    public ConfigurationWitness(IConfiguration configuration, string path, List<string?> seen)
    {
        (_configuration, _path, _seen) = (configuration, path, seen);
    }

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _listening = ChangeToken.OnChange(_configuration.GetReloadToken, Note);
        Note();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => _listening?.Dispose();

    private void Note()
    {
        lock (_seen)
        {
            _seen.Add(_configuration[_path]);
        }
    }
}
