using System.Net.Security;

namespace Ripple.Transports.Links;

/// <summary>The control channel's name in the TLS handshake (ALPN), by which a host tells it from HTTP on the same port.</summary>
internal static class LinkProtocol
{
    /// <summary><c>ripple/1</c>.</summary>
    public static readonly SslApplicationProtocol Name = new("ripple/1");
}
