using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Ripple.Engine.Links;
using Ripple.Trust;

namespace Ripple.Transports.Links;

/// <summary>
/// One TLS connection to a host of the pinned authority. When it is open, the host is authenticated and no secret has been sent.
/// </summary>
internal sealed class TlsClientConnection : IAsyncDisposable
{
    private readonly Socket _socket;

    private TlsClientConnection(Socket socket, SslStream stream, AuthorityTrust trust, HostIdentity host)
    {
        _socket = socket;
        Stream = stream;
        Trust = trust;
        Host = host;
    }

    public SslStream Stream { get; }

    public AuthorityTrust Trust { get; }

    public HostIdentity Host { get; }

    /// <exception cref="LinkConnectException">The host cannot be reached, or is not certified by the authority.</exception>
    /// <exception cref="OperationCanceledException">Cancelled, or timed out.</exception>
    public static async Task<TlsClientConnection> OpenAsync(
        HostEndpoint endpoint, LinkConnectorOptions options, SslStreamCertificateContext? certificate, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        SslStream? stream = null;
        var judge = new HostJudge(options.Authority, options.Time);
        try
        {
            await ConnectAsync(socket, endpoint, options.TcpTimeout, cancellationToken).ConfigureAwait(false);
            stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
            await ShakeHandsAsync(
                stream, endpoint, MakeOptions(endpoint, certificate, judge), options.TlsTimeout, cancellationToken).ConfigureAwait(false);
            return new(socket, stream, judge.Trust!, judge.Host!);
        }
        catch (Exception e)
        {
            if (stream is not null)
            {
                await stream.DisposeAsync().ConfigureAwait(false);
            }

            socket.Dispose();
            throw e switch
            {
                _ when judge.Error is not null => new LinkConnectException(
                    LinkConnectFailure.Untrusted, $"{endpoint} is not a host of the pinned authority: {judge.Error}.", inner: e),
                SocketException => new LinkConnectException(
                    LinkConnectFailure.Unreachable, $"{endpoint} cannot be reached: {e.Message}", inner: e),
                AuthenticationException => new LinkConnectException(
                    LinkConnectFailure.Untrusted, $"{endpoint} answers, but not as a host that speaks TLS with us: {e.Message}", inner: e),
                IOException => new LinkConnectException(
                    LinkConnectFailure.Unreachable, $"{endpoint} broke the connection: {e.Message}", inner: e),
                _ => e,
            };
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Stream.DisposeAsync().ConfigureAwait(false);
        _socket.Dispose();
    }

    /// <summary>
    /// Connects to one of the addresses of a host. Looking them up takes what it takes, within the time of the whole connect.
    /// </summary>
    private static async Task ConnectAsync(Socket socket, HostEndpoint endpoint, TimeSpan timeout, CancellationToken cancellationToken)
    {
        IPAddress[] addresses = IPAddress.TryParse(endpoint.Host, out IPAddress? address)
            ? [address]
            : await Dns.GetHostAddressesAsync(endpoint.Host, cancellationToken).ConfigureAwait(false);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(timeout * Math.Max(1, addresses.Length));
        try
        {
            await socket.ConnectAsync(addresses, endpoint.Port, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            throw new LinkConnectException(
                LinkConnectFailure.Unreachable,
                string.Create(CultureInfo.InvariantCulture, $"{endpoint} did not answer within {timeout.TotalSeconds} s."),
                inner: e);
        }
    }

    private static async Task ShakeHandsAsync(
        SslStream stream,
        HostEndpoint endpoint,
        SslClientAuthenticationOptions options,
        TimeSpan timeout,
        CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(timeout);
        try
        {
            await stream.AuthenticateAsClientAsync(options, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            throw new LinkConnectException(
                LinkConnectFailure.Unreachable,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{endpoint} took the connection, and did not show within {timeout.TotalSeconds} s that it is a host."),
                inner: e)
            {
                IsSilent = true,
            };
        }
    }

    private static SslClientAuthenticationOptions MakeOptions(
        HostEndpoint endpoint, SslStreamCertificateContext? certificate, HostJudge judge) => new()
        {
            TargetHost = endpoint.Host,
            // The port may serve HTTP as well.
            ApplicationProtocols = [LinkProtocol.Name],
            // Not only 1.3: the macOS stack has no client side of it.
            EnabledSslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13,
            AllowTlsResume = false,
            AllowRenegotiation = false,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
            CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                RevocationMode = X509RevocationMode.NoCheck,
                DisableCertificateDownloads = true,
            },
            ClientCertificateContext = certificate,
            // Neither the machine's trust store nor the name matters: any host of the pinned authority is accepted.
            RemoteCertificateValidationCallback = (_, shown, _, _) => judge.IsTrusted(shown),
        };
}
