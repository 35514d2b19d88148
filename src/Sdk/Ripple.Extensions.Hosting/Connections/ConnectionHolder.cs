using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>
/// A container's hold on a connection: the connection of the configuration provider with the same name if there is one, otherwise its own.
/// </summary>
internal sealed class ConnectionHolder : IDisposable, IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly IConfiguration? _configuration;
    private OptionsValidator? _validator;
    private bool _isDisposed;
    private bool _isStarted;

    /// <param name="name">The connection's name.</param>
    /// <param name="configuration">The container's configuration; null if it has none.</param>
    /// <param name="configure">Sets options in code; ignored if a provider already has options.</param>
    public ConnectionHolder(string name, IConfiguration? configuration, Action<RippleOptions>? configure)
    {
        _configuration = configuration;
        if (ProvidersOf(configuration).FirstOrDefault(p => p.Connection.Name == name) is { } shared)
        {
            Connection = shared.Connection;
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

    /// <summary>Holds the connection for the lifetime of the container.</summary>
    public void Attach(OptionsValidator validator)
    {
        lock (_lock)
        {
            if (_validator is not null || _isDisposed)
            {
                return;
            }

            _validator = validator;
        }

        Connection.Attach(validator);
    }

    /// <summary>
    /// Starts the connection and has the container validate what it shows; once. When it returns, nothing undecided is shown.
    /// </summary>
    /// <exception cref="Client.RippleException">As <see cref="RippleConnection.JudgeAsync"/>, and when the connection cannot
    /// start.</exception>
    /// <exception cref="OperationCanceledException">The start was canceled.</exception>
    public async Task StartAsync(OptionsValidator validator, CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _isStarted))
        {
            return;
        }

        validator.EnsureAttached();
        if (validator.FindLoggers() is { } loggers)
        {
            Connection.Loggers.Use(loggers);
        }

        await Connection.StartAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
        await Connection.JudgeAsync(validator, cancellationToken).ConfigureAwait(false);
        Volatile.Write(ref _isStarted, true);
    }

    /// <summary>Called when the container's host is stopping: leaves the region, unless others hold the connection.</summary>
    public void BeginLeave(OptionsValidator validator) => Connection.BeginLeave(validator, [.. ProvidersOf(_configuration)]);

    public void Dispose() => Connection.WaitFor(ReleaseAsync());

    public async ValueTask DisposeAsync() => await Task.Run(Dispose).ConfigureAwait(false);

    private Task ReleaseAsync()
    {
        OptionsValidator? validator;
        lock (_lock)
        {
            _isDisposed = true;
            (validator, _validator) = (_validator, null);
        }

        return validator is null ? Task.CompletedTask : Connection.DetachAsync(validator);
    }

    /// <summary>The current providers of a configuration and of the configurations chained into it.</summary>
    private static IEnumerable<RippleConfigurationProvider> ProvidersOf(IConfiguration? configuration) =>
        configuration is not IConfigurationRoot root ? [] : root.Providers.SelectMany(provider => provider switch
        {
            RippleConfigurationProvider ripple => [ripple],
            ChainedConfigurationProvider chained => ProvidersOf(chained.Configuration),
            _ => [],
        });
}

/// <summary>Ties one connection to the host's lifetime: it starts before other services and is the first to leave.</summary>
internal sealed class RippleHostedService(ConnectionHolder holder, OptionsValidator validator) : IHostedLifecycleService
{
    /// <summary>Does nothing where the connection has decided already, before options were validated on start.</summary>
    public Task StartingAsync(CancellationToken cancellationToken) => holder.StartAsync(validator, cancellationToken);

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>
    /// Leaves the region at once, unless others share the connection. Disposing the container briefly waits for the leave to complete.
    /// </summary>
    public Task StoppingAsync(CancellationToken cancellationToken)
    {
        holder.BeginLeave(validator);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
