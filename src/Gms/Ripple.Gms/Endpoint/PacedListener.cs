using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Threading.RateLimiting;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection;

namespace Ripple.Gms.Endpoint;

/// <summary>
/// Accepts connections, those of a crowd at a bounded rate: to accept one and push another out costs a tenth of a millisecond of processor
/// time, and who is pushed out comes again. Further ones wait in the system's queue, and with them, for some hundred milliseconds at most,
/// who comes behind them. Any thread.
/// </summary>
/// <param name="inner">Accepts them.</param>
/// <param name="isCrowd">Whether others have to give way to a connection from there.</param>
/// <param name="pace">A token a connection, replenished by nobody else.</param>
internal sealed class PacedListener(
    IConnectionListener inner, Func<EndPoint?, bool> isCrowd, TokenBucketRateLimiter pace) : IConnectionListener
{
    /// <summary>How long the wait for a token is at a time.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(5);

    public EndPoint EndPoint => inner.EndPoint;

    /// <summary>What a crowd may do: 256 connections at once, and a thousand a second.</summary>
    public static TokenBucketRateLimiter MakePace() => new(new TokenBucketRateLimiterOptions
    {
        TokenLimit = 256,
        TokensPerPeriod = 5,
        ReplenishmentPeriod = TimeSpan.FromMilliseconds(5),
        AutoReplenishment = false,
        QueueLimit = 0,
    });

    /// <summary>Makes a server's listeners paced, instead of its sockets' own.</summary>
    public static void AddTo(IServiceCollection services, Func<EndPoint?, bool> isCrowd) =>
        services.AddSingleton<IConnectionListenerFactory>(provider => new Factory(
            ActivatorUtilities.CreateInstance<SocketTransportFactory>(provider), isCrowd));

    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        ConnectionContext? connection = await inner.AcceptAsync(cancellationToken).ConfigureAwait(false);
        if (connection is null || !isCrowd(connection.RemoteEndPoint))
        {
            return connection;
        }

        try
        {
            while (!TryTake())
            {
                await Task.Delay(Pause, cancellationToken).ConfigureAwait(false);
            }

            return connection;
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public ValueTask UnbindAsync(CancellationToken cancellationToken = default) => inner.UnbindAsync(cancellationToken);

    public async ValueTask DisposeAsync()
    {
        await inner.DisposeAsync().ConfigureAwait(false);
        await pace.DisposeAsync().ConfigureAwait(false);
    }

    private bool TryTake()
    {
        pace.TryReplenish();
        using RateLimitLease lease = pace.AttemptAcquire();
        return lease.IsAcquired;
    }

    [SuppressMessage("Reliability", "CA2000", Justification = "The listener disposes of its pace.")]
    private sealed class Factory(SocketTransportFactory sockets, Func<EndPoint?, bool> isCrowd) : IConnectionListenerFactory
    {
        public async ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default) =>
            new PacedListener(await sockets.BindAsync(endpoint, cancellationToken).ConfigureAwait(false), isCrowd, MakePace());
    }
}
