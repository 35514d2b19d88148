using Microsoft.Extensions.Hosting;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>Ties one connection to the host's lifetime: it starts before other services and is the first to leave.</summary>
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
        await holder.Connection.JudgeAsync(guard, cancellationToken).ConfigureAwait(false);
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>
    /// Leaves the region at once, unless others share the connection. Disposing the container briefly waits for the leave to complete.
    /// </summary>
    public Task StoppingAsync(CancellationToken cancellationToken)
    {
        holder.BeginLeave(guard);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
