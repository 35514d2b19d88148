using Microsoft.Extensions.Configuration;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>A container's hold on a connection: that of the configuration's provider of the same name, where there is one, else its own.</summary>
internal sealed class ConnectionHolder : IDisposable, IAsyncDisposable
{
    private readonly Lock _lock = new();
    private OptionsGuard? _guard;
    private bool _isDisposed;

    /// <param name="name">The connection's name.</param>
    /// <param name="configuration">The container's configuration; null when it has none.</param>
    /// <param name="configure">Options by code, where no provider has options already.</param>
    public ConnectionHolder(string name, IConfiguration? configuration, Action<RippleOptions>? configure)
    {
        if (configuration is not null && Find(configuration, name) is { } shared)
        {
            Connection = shared;
            return;
        }

        var options = new RippleOptions();
        if (configuration is not null)
        {
            OptionsReader.Read(configuration, name, options);
        }

        configure?.Invoke(options);
        Connection = new RippleConnection(name, options);
    }

    public RippleConnection Connection { get; }

    /// <summary>Holds the connection for as long as the container lives.</summary>
    public void Attach(OptionsGuard guard)
    {
        lock (_lock)
        {
            if (_guard is not null || _isDisposed)
            {
                return;
            }

            _guard = guard;
        }

        Connection.Attach(guard);
    }

    public void Dispose() => Connection.WaitFor(ReleaseAsync());

    public async ValueTask DisposeAsync() => await Task.Run(Dispose).ConfigureAwait(false);

    private Task ReleaseAsync()
    {
        OptionsGuard? guard;
        lock (_lock)
        {
            _isDisposed = true;
            (guard, _guard) = (_guard, null);
        }

        return guard is null ? Task.CompletedTask : Connection.DetachAsync(guard);
    }

    private static RippleConnection? Find(IConfiguration configuration, string name)
    {
        if (configuration is not IConfigurationRoot root)
        {
            return null;
        }

        foreach (IConfigurationProvider provider in root.Providers)
        {
            RippleConnection? found = provider switch
            {
                RippleConfigurationProvider ripple when ripple.Connection.Name == name => ripple.Connection,
                ChainedConfigurationProvider chained => Find(chained.Configuration, name),
                _ => null,
            };
            if (found is not null)
            {
                return found;
            }
        }

        return null;
    }
}
