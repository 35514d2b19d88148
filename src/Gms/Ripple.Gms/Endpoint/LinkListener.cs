using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Ripple.Gms.Api;

namespace Ripple.Gms.Endpoint;

/// <summary>
/// A control endpoint on its own server, without configuration, logging or signal handling. For hosts inside another process, and for
/// tests; a host with a web application uses <see cref="KestrelLinkExtensions.ListenControl"/> in it.
/// </summary>
internal sealed class LinkListener : IAsyncDisposable
{
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan ShortStopTimeout = TimeSpan.FromMilliseconds(100);

    private readonly WebApplication _server;
    private readonly LinkEndpoint _endpoint;
    private readonly Func<int> _port;
    private readonly TimeSpan _stopTimeout;

    private LinkListener(WebApplication server, LinkEndpoint endpoint, Func<int> port, TimeSpan stopTimeout)
    {
        _stopTimeout = stopTimeout;
        _server = server;
        _endpoint = endpoint;
        _port = port;
    }

    /// <summary>The actual port, also when 0 was requested; once it listens.</summary>
    public int Port => _port();

    /// <summary>Starts listening.</summary>
    /// <param name="endpoint">The endpoint; stopped when the listener is disposed.</param>
    /// <param name="address">The address to listen on; port 0 lets the system choose.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    /// <exception cref="IOException">The address cannot be listened on.</exception>
    public static Task<LinkListener> StartAsync(LinkEndpoint endpoint, IPEndPoint address, CancellationToken cancellationToken = default) =>
        StartedAsync(Make(endpoint, address, _ => { }, _ => { }, StopTimeout), cancellationToken);

    /// <summary>Starts listening, with one answer to all requests on the same port. It stops in a moment.</summary>
    internal static Task<LinkListener> StartAsync(
        LinkEndpoint endpoint, IPEndPoint address, RequestDelegate http, CancellationToken cancellationToken) =>
        StartedAsync(Make(endpoint, address, server => server.Run(http), _ => { }, ShortStopTimeout), cancellationToken);

    /// <summary>
    /// Makes a listener with the admin API on the same port, which does not listen yet: what takes a moment is done while somebody else may
    /// still have the address.
    /// </summary>
    internal static LinkListener Make(LinkEndpoint endpoint, IPEndPoint address, ApiContext api) => Make(
        endpoint,
        address,
        server => AdminApi.Map(server, api),
        services => AdminApi.AddServices(services, api),
        StopTimeout);

    /// <summary>Starts listening.</summary>
    /// <exception cref="IOException">The address cannot be listened on.</exception>
    internal Task StartAsync(CancellationToken cancellationToken) => _server.StartAsync(cancellationToken);

    private static async Task<LinkListener> StartedAsync(LinkListener listener, CancellationToken cancellationToken)
    {
        try
        {
            await listener.StartAsync(cancellationToken).ConfigureAwait(false);
            return listener;
        }
        catch
        {
            await listener._server.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private static LinkListener Make(
        LinkEndpoint endpoint,
        IPEndPoint address,
        Action<WebApplication> map,
        Action<IServiceCollection> addServices,
        TimeSpan stopTimeout)
    {
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new());
        builder.Services.AddSingleton<IHostLifetime, NoLifetime>();
        ListenOptions? listen = null;
        // A link's incoming bytes pass three pipes; without inline scheduling each would cost a thread switch.
        builder.WebHost.UseKestrelCore().UseSockets(
            sockets => sockets.UnsafePreferInlineScheduling = true).UseKestrelHttpsConfiguration().ConfigureKestrel(kestrel =>
            {
                kestrel.AddServerHeader = false;
                ApiLimits.Set(kestrel.Limits);
                kestrel.ListenControl(address, endpoint, options => listen = options);
            });
        PacedListener.AddTo(builder.Services, endpoint.IsCrowd);
        addServices(builder.Services);
        WebApplication server = builder.Build();
        map(server);
        return new(server, endpoint, () => listen!.IPEndPoint!.Port, stopTimeout);
    }

    /// <summary>Closes the links gracefully and stops listening.</summary>
    public async ValueTask DisposeAsync()
    {
        _endpoint.Stop();
        // Requests in progress get a moment; waits end immediately through the server's stopping token.
        using var limit = new CancellationTokenSource(_stopTimeout);
        await _server.StopAsync(limit.Token).ConfigureAwait(false);
        await _server.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Signals and the console belong to the process, not to this server.</summary>
    private sealed class NoLifetime : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}

/// <summary>Adds a control endpoint to a Kestrel port, beside anything else the application serves on other ports.</summary>
internal static class KestrelLinkExtensions
{
    /// <summary>Listens for control connections; connections that select HTTP by ALPN go to the application's pipeline.</summary>
    /// <param name="kestrel">The server's options.</param>
    /// <param name="address">The address to listen on; port 0 lets the system choose.</param>
    /// <param name="endpoint">The endpoint.</param>
    /// <param name="onListen">Receives the listen options, which contain the actual port once the server runs; may be null.</param>
    public static void ListenControl(
        this KestrelServerOptions kestrel, IPEndPoint address, LinkEndpoint endpoint, Action<ListenOptions>? onListen = null)
    {
        kestrel.Listen(address, listen =>
        {
            listen.Protocols = HttpProtocols.Http1AndHttp2;
            listen.Use(next => connection => endpoint.LimitAsync(connection, next));
            listen.UseHttps(endpoint.HandshakeOptions);
            listen.Use(next => connection => endpoint.ServeAsync(connection, next));
            onListen?.Invoke(listen);
        });
    }
}
