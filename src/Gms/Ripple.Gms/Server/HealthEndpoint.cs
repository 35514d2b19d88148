using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Ripple.Gms.Endpoint;

namespace Ripple.Gms.Server;

/// <summary>
/// Answers <c>/health/live</c> and <c>/health/ready</c> over plain HTTP with 200 or 503 and a short status, readiness also with the room
/// of the store. Serves nothing else and requires no authentication.
/// </summary>
internal sealed class HealthEndpoint : IAsyncDisposable
{
    private const int ConnectionsMax = 256;

    private static readonly TimeSpan IdleTimeout = TimeSpan.FromSeconds(5);

    private readonly WebApplication _server;
    private readonly ListenOptions _listen;

    private HealthEndpoint(WebApplication server, ListenOptions listen)
    {
        _server = server;
        _listen = listen;
    }

    public IPEndPoint Address => _listen.IPEndPoint!;

    /// <exception cref="IOException">The address cannot be listened on.</exception>
    public static async Task<HealthEndpoint> StartAsync(IPEndPoint address, Func<IHealth> health, CancellationToken cancellationToken)
    {
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new());
        builder.Services.AddSingleton<IHostLifetime, NoLifetime>();
        ListenOptions? listen = null;
        var places = new SourcePlaces(ConnectionsMax, int.MaxValue);
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Limits.MaxRequestBodySize = 0;
            kestrel.Limits.KeepAliveTimeout = IdleTimeout;
            kestrel.Limits.RequestHeadersTimeout = IdleTimeout;
            kestrel.Listen(address, options =>
            {
                options.Protocols = HttpProtocols.Http1;
                options.Use(next => connection => ServeAsync(connection, next, places));
                listen = options;
            });
        });
        PacedListener.AddTo(builder.Services, from => places.IsCrowd(SourceAddress.Of(from)));
        WebApplication server = builder.Build();
        server.Run(context => AnswerAsync(context, health()));
        try
        {
            await server.StartAsync(cancellationToken).ConfigureAwait(false);
            return new(server, listen!);
        }
        catch
        {
            await server.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        using var now = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
        await _server.StopAsync(now.Token).ConfigureAwait(false);
        await _server.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Beyond the limit the oldest connection of the address with the most is closed: a probe always gets an answer.</summary>
    private static async Task ServeAsync(ConnectionContext connection, ConnectionDelegate next, SourcePlaces places)
    {
        using SourcePlaces.Place place = places.Take(SourceAddress.Of(connection.RemoteEndPoint), connection.Abort);
        await next(connection).ConfigureAwait(false);
    }

    private static async Task AnswerAsync(HttpContext context, IHealth health)
    {
        HttpResponse response = context.Response;
        response.Headers.CacheControl = "no-store";
        if (!HttpMethods.IsGet(context.Request.Method) && !HttpMethods.IsHead(context.Request.Method))
        {
            response.StatusCode = StatusCodes.Status405MethodNotAllowed;
            return;
        }

        HealthAnswer? answer = context.Request.Path.Value switch
        {
            "/health/live" => health.Live(),
            "/health/ready" => await health.ReadyAsync().ConfigureAwait(false),
            _ => null,
        };
        if (answer is not { } status)
        {
            response.StatusCode = StatusCodes.Status404NotFound;
            return;
        }

        response.StatusCode = status.IsWell ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
        response.ContentType = "text/plain";
        if (HttpMethods.IsGet(context.Request.Method))
        {
            await response.WriteAsync(status.Text + "\n", context.RequestAborted).ConfigureAwait(false);
        }
    }

    private sealed class NoLifetime : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
