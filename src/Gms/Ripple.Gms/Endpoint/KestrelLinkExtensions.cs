using System.Net;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Ripple.Gms.Endpoint;

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
        ArgumentNullException.ThrowIfNull(kestrel);
        ArgumentNullException.ThrowIfNull(endpoint);
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
