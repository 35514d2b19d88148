using Microsoft.Extensions.Hosting;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>One connection's part in a host's life: there before other services start, and the first to go.</summary>
internal sealed class RippleHostedService(ConnectionHolder holder, OptionsValidator guard) : IHostedLifecycleService
{
    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        guard.EnsureAttached();
        if (guard.FindLoggers() is { } loggers)
        {
            holder.Connection.Loggers.Use(loggers);
        }

        await holder.Connection.StartAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
        await holder.Connection.ValidatePresentAsync(guard, cancellationToken).ConfigureAwait(false);
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>
    /// Says goodbye at once, unless others share the connection. The end of it is waited for, shortly, when the container is disposed of.
    /// </summary>
    public Task StoppingAsync(CancellationToken cancellationToken)
    {
        holder.BeginLeave(guard);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
