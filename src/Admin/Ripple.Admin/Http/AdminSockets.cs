using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Ripple.Trust;

namespace Ripple.Admin.Http;

/// <summary>Creates the sockets for requests: pinned to an authority, and monitored in case the peer dies.</summary>
internal static class AdminSockets
{
    /// <summary>The idle time after which the peer is pinged, and the time it has to answer.</summary>
    private static readonly TimeSpan Ping = TimeSpan.FromSeconds(10);

    public static SocketsHttpHandler Make(ReadOnlyMemory<byte> authority, TimeSpan connectTimeout) => new()
    {
        ConnectTimeout = connectTimeout,
        KeepAlivePingDelay = Ping,
        KeepAlivePingTimeout = Ping,
        KeepAlivePingPolicy = HttpKeepAlivePingPolicy.WithActiveRequests,
        AllowAutoRedirect = false,
        AutomaticDecompression = DecompressionMethods.All,
        UseCookies = false,
        UseProxy = false,
        SslOptions = MakeTls(authority),
    };

    private static SslClientAuthenticationOptions MakeTls(ReadOnlyMemory<byte> authority) => new()
    {
        // Not only 1.3: the macOS TLS stack does not support it as a client.
        EnabledSslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13,
        CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
        CertificateChainPolicy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        },
        RemoteCertificateValidationCallback = (_, shown, _, _) =>
        {
            var judge = new HostJudge(authority, TimeProvider.System);
            // Thrown rather than stored, so that the reason stays with the connection that failed.
            return judge.IsTrusted(shown) ? true : throw new HostUntrustedException(judge.Error!);
        },
    };
}

/// <summary>A host answered the handshake but is not trusted.</summary>
/// <param name="why">The reason, and what to do.</param>
internal sealed class HostUntrustedException(string why) : Exception(why)
{
    /// <summary>The untrusted-host exception that caused a request's failure; null if the cause was different.</summary>
    public static HostUntrustedException? In(Exception? failure)
    {
        for (; failure is not null; failure = failure.InnerException)
        {
            if (failure is HostUntrustedException found)
            {
                return found;
            }
        }

        return null;
    }
}
