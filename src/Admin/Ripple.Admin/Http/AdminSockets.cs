using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Ripple.Trust;

namespace Ripple.Admin.Http;

/// <summary>Makes the sockets of requests: pinned to an authority, and watched for the other side's death.</summary>
internal static class AdminSockets
{
    /// <summary>How long nothing may come before the other side is asked whether it is there, and how long it has to say so.</summary>
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
        // Not 1.3 alone: the macOS stack has no client side of it.
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
            // Thrown, not kept: so the reason stays with the connection that failed of it.
            return judge.IsTrusted(shown) ? true : throw new HostUntrustedException(judge.Error!);
        },
    };
}
