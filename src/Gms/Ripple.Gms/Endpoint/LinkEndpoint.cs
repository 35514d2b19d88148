using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Ripple.Engine.Links;
using Ripple.Gms.Api;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Endpoint;

/// <summary>
/// The host's side of the control channel: verifies connecting peers, enrolls nodes, and hands admitted connections to the core as links.
/// Outside the core; attached to a Kestrel port by <see cref="KestrelLinkExtensions.ListenControl"/>, in the host's own web application or
/// in a <see cref="LinkListener"/>.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "The source of the stop has no timer and no wait handle.")]
internal sealed class LinkEndpoint
{
    private readonly LinkEndpointOptions _options;
    private readonly EnrollmentHandler _enrollment;
    private readonly SourcePlaces _unadmitted;
    private readonly SourcePlaces _httpUnproved;
    private readonly ProvedPlaces _httpProved;
    private readonly HandshakeLimiter _handshakes;
    private readonly TokenShares _shares;
    private readonly LinkOptions _link;
    private readonly CancellationTokenSource _stopping = new();
    private volatile SslServerAuthenticationOptions _tls;
    private int _connectionCount;

    /// <param name="options">The host's identity, its trust and its limits.</param>
    public LinkEndpoint(LinkEndpointOptions options)
    {
        _options = options;
        _link = options.Link with { Traffic = Counters.Traffic };
        _shares = new TokenShares(_link.ReceiveBudget);
        _handshakes = new HandshakeLimiter(options.HandshakesMax);
        _unadmitted = new SourcePlaces(options.UnadmittedMax, options.SilentPerAddressMax);
        _httpUnproved = new SourcePlaces(Math.Max(1, options.HttpConnectionsMax), int.MaxValue);
        _httpProved = new ProvedPlaces(Math.Max(1, options.HttpConnectionsMax));
        _enrollment = new EnrollmentHandler(options, Counters);
        _tls = MakeTls(options.HostCertificate, options.HttpConnectionsMax > 0);
    }

    /// <summary>The endpoint's counters.</summary>
    public LinkEndpointCounters Counters { get; } = new();

    /// <summary>The highest number of concurrent TLS handshakes so far.</summary>
    public int HandshakesAtOnceMax => _handshakes.RunningMax;

    /// <summary>Current connections, in any state.</summary>
    public int ConnectionCount => Volatile.Read(ref _connectionCount);

    /// <summary>Switches to a renewed certificate for new connections. Any thread.</summary>
    public void UseCertificate(X509Certificate2 hostCertificate) => _tls = MakeTls(hostCertificate, _options.HttpConnectionsMax > 0);

    /// <summary>Closes every link gracefully and accepts no more connections. Any thread; links end within their close timeout.</summary>
    public void Stop() => _stopping.Cancel();

    internal TlsHandshakeCallbackOptions HandshakeOptions => new()
    {
        HandshakeTimeout = _options.HandshakeTimeout,
        OnConnection = _ => ValueTask.FromResult(_tls),
    };

    /// <summary>Whether others have to give way to one more connection from there.</summary>
    internal bool IsCrowd(EndPoint? from) => _unadmitted.IsCrowd(SourceAddress.Of(from));

    /// <summary>Applies the connection and handshake limits before TLS.</summary>
    internal async Task LimitAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        var source = SourceAddress.Of(connection.RemoteEndPoint);
        var place = new Place(this, source, connection);
        try
        {
            if (_stopping.IsCancellationRequested || !place.IsWithin(_options))
            {
                Counters.CountOverLimit();
                connection.Abort();
                return;
            }

            connection.Features.Set(place);
            if (!await HandshakeLimiter.HearAsync(connection, _options.HelloTimeout, _stopping.Token).ConfigureAwait(false))
            {
                connection.Abort();
                return;
            }

            place.Greet();
            using HandshakeLimiter.Turn? turn = await _handshakes.EnterAsync(
                connection, source, _options.HandshakeTimeout, _stopping.Token).ConfigureAwait(false);
            if (turn is null)
            {
                connection.Abort();
                return;
            }

            connection.Features.Set(turn);
            await next(connection).ConfigureAwait(false);
        }
        finally
        {
            place.Leave();
        }
    }

    /// <summary>
    /// Dispatches after the handshake: nodes select the link protocol by ALPN. When an API shares the port, everything else is HTTP, since
    /// some HTTP clients select nothing.
    /// </summary>
    internal async Task ServeAsync(ConnectionContext connection, ConnectionDelegate http)
    {
        connection.Features.Get<HandshakeLimiter.Turn>()?.Dispose();
        ReadOnlyMemory<byte> protocol = connection.Features.Get<ITlsApplicationProtocolFeature>()?.ApplicationProtocol ?? default;
        bool isNode = _options.HttpConnectionsMax == 0 || protocol.Span.SequenceEqual(LinkProtocol.Name.Protocol.Span);
        await (isNode ? ServeNodeAsync(connection) : ServeHttpAsync(connection, http)).ConfigureAwait(false);
    }

    private async Task ServeHttpAsync(ConnectionContext connection, ConnectionDelegate http)
    {
        // HTTP has its own limits, so that administrators and nodes cannot crowd each other out.
        connection.Features.Get<Place>()?.Leave();
        // Those without a good token give way to each other, those with one to others under the same bound.
        using var place = HttpPlace.Of(connection, _httpUnproved, _httpProved, _options.HttpProofTimeout, Counters.CountOverLimit);
        connection.Features.Set<IConnectionProof>(place);
        await http(connection).ConfigureAwait(false);
    }

    private async Task ServeNodeAsync(ConnectionContext connection)
    {
        ISslStreamFeature? feature = connection.Features.Get<ISslStreamFeature>();
        SslStream stream = feature?.SslStream ?? throw new InvalidOperationException("The control endpoint must stand behind TLS.");
        try
        {
            // Not ended by a stop: who has read that it is admitted must be told why the link ends, and not find it broken.
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(connection.ConnectionClosed);
            limit.CancelAfter(_options.AdmissionTimeout);
            if (stream.RemoteCertificate is not X509Certificate2 certificate)
            {
                using var enrolling = CancellationTokenSource.CreateLinkedTokenSource(_stopping.Token, limit.Token);
                await _enrollment.ServeAsync(stream, SourceAddress.Of(connection.RemoteEndPoint), enrolling.Token).ConfigureAwait(false);
                return;
            }

            Place? place = connection.Features.Get<Place>();
            StreamLink? link = await AdmitAsync(
                stream, certificate, SourceAddress.Of(connection.RemoteEndPoint), place, limit.Token).ConfigureAwait(false);
            if (link is null)
            {
                return;
            }

            limit.CancelAfter(Timeout.InfiniteTimeSpan);
            place?.Admit();
            try
            {
                await link.RunAsync(_stopping.Token).ConfigureAwait(false);
            }
            finally
            {
                _shares.Close(link.Peer.TokenId);
            }

            // The link has ended on both sides, or the peer does not read: nothing is left to send.
            connection.Abort();
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ObjectDisposedException or InvalidOperationException)
        {
            connection.Abort();
        }
    }

    [SuppressMessage(
        "Security", "CA5359", Justification = "It is the client's certificate, and AdmitAsync judges it before anything else happens.")]
    private static SslServerAuthenticationOptions MakeTls(X509Certificate2 certificate, bool isHttpToo) => new()
    {
        ServerCertificateContext = SslStreamCertificateContext.Create(certificate, null, offline: true),
        EnabledSslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13,
        AllowRenegotiation = false,
        ApplicationProtocols = isHttpToo
            ? [LinkProtocol.Name, SslApplicationProtocol.Http2, SslApplicationProtocol.Http11]
            : [LinkProtocol.Name],
        // A resumed session would carry an identity verified before a revocation.
        AllowTlsResume = false,
        // Requested but not required: TLS proves possession, and the rest is verified afterwards so that the peer can be told the reason.
        ClientCertificateRequired = true,
        RemoteCertificateValidationCallback = static (_, _, _, _) => true,
        CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
        CertificateChainPolicy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        },
    };

    private static LinkPeer ToPeer(CertificateIdentity identity, X509Certificate2 certificate) => identity switch
    {
        NodeIdentity node => new()
        {
            Kind = LinkPeerKind.Node,
            NodeIdHigh = node.NodeId.High,
            NodeIdLow = node.NodeId.Low,
            Application = node.Application,
            Role = node.Role,
            TokenId = node.TokenId,
            Name = certificate.GetNameInfo(X509NameType.SimpleName, false),
        },
        HostIdentity host => new() { Kind = LinkPeerKind.Host, Name = host.Name },
        _ => LinkPeer.Anonymous,
    };

    /// <summary>Verifies, admits and hands over; null if the peer was refused.</summary>
    private async Task<StreamLink?> AdmitAsync(
        SslStream stream, X509Certificate2 certificate, SourceAddress source, Place? place, CancellationToken cancellationToken)
    {
        TrustVerdict verdict = _options.Authority.Trust.Judge(
            certificate, CertificateUse.Client, _options.Time.GetUtcNow(), out CertificateIdentity? identity);
        if (verdict != TrustVerdict.Trusted)
        {
            Counters.CountWrongCertificate();
            _options.OnWrongCertificate(source.ToString());
            LinkRefusal refusal = verdict == TrustVerdict.OutOfTime
                ? new(
                    LinkRefusalCode.CertificateExpired,
                    $"The certificate is valid from {certificate.NotBefore:u} to {certificate.NotAfter:u} only.")
                : new(LinkRefusalCode.CertificateUnknown, "The certificate is not one of this cluster's.");
            await SayGoodbyeAsync(stream, refusal, cancellationToken).ConfigureAwait(false);
            return null;
        }

        if (identity is NodeIdentity && _options.StandsByNodes is { } answerNode)
        {
            // Who has shown a certificate of this cluster is none of those that are to be judged, however long it waits here.
            place?.Admit();
            LinkRefusal told = await answerNode(cancellationToken).ConfigureAwait(false);
            await SayGoodbyeAsync(stream, told, cancellationToken).ConfigureAwait(false);
            return null;
        }

        if ((_options.StandsBy ?? (identity is HostIdentity ? _options.AnswerHost : null)) is { } answer)
        {
            await SayGoodbyeAsync(stream, answer(), cancellationToken).ConfigureAwait(false);
            return null;
        }

        LinkPeer peer = ToPeer(identity!, certificate);
        if (await AskAdmissionAsync(peer, cancellationToken).ConfigureAwait(false) is { } refused)
        {
            await SayGoodbyeAsync(stream, refused, cancellationToken).ConfigureAwait(false);
            return null;
        }

        await LinkFrames.WriteAsync(
            stream, LinkFrameType.Admitted, Renew(identity!, certificate, peer.Name), cancellationToken).ConfigureAwait(false);
        var link = new StreamLink(stream, peer, _options.Requests, _link with { ReceiveShare = _shares.Open(peer.TokenId) });
        if (!await link.HandOverAsync(_options.Acceptor.OnLink, cancellationToken).ConfigureAwait(false))
        {
            _shares.Close(peer.TokenId);
            Counters.CountOverLimit();
            await SayGoodbyeAsync(stream, new(LinkRefusalCode.Busy, "The host has too much to do."), _stopping.Token).ConfigureAwait(false);
            return null;
        }

        Counters.CountAdmitted();
        return link;
    }

    private static Task SayGoodbyeAsync(SslStream stream, LinkRefusal refusal, CancellationToken cancellationToken) =>
        LinkFrames.WriteAsync(stream, LinkFrameType.Goodbye, refusal.ToBytes(), cancellationToken);

    private async ValueTask<LinkRefusal?> AskAdmissionAsync(LinkPeer peer, CancellationToken cancellationToken)
    {
        try
        {
            string? why = _options.Admission is { } ask ? await ask(peer, cancellationToken).ConfigureAwait(false) : null;
            if (why is null)
            {
                return null;
            }

            Counters.CountNotAdmitted();
            return new LinkRefusal(LinkRefusalCode.NotAdmitted, why);
        }
        catch (Exception e) when (e is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // A peer that cannot be checked is not admitted.
            Counters.CountPolicyError();
            return new LinkRefusal(LinkRefusalCode.Busy, "The host cannot check who you are now; try again.");
        }
    }

    /// <summary>A new certificate if the node's current one is due for renewal; empty otherwise.</summary>
    private ReadOnlyMemory<byte> Renew(CertificateIdentity identity, X509Certificate2 certificate, string name)
    {
        if (identity is not NodeIdentity node || !_options.Authority.IsDue(certificate) || !TrustText.IsName(name))
        {
            return default;
        }

        using X509Certificate2? renewed = _options.Authority.IssueNode(certificate.PublicKey.ExportSubjectPublicKeyInfo(), node, name);
        return renewed is null ? default : renewed.RawData;
    }

    /// <summary>A connection's slot in the limits.</summary>
    private sealed class Place(LinkEndpoint endpoint, SourceAddress source, ConnectionContext connection)
    {
        private readonly int _connections = Interlocked.Increment(ref endpoint._connectionCount);
        private readonly SourcePlaces.Place _unadmitted = endpoint._unadmitted.Take(source, () =>
        {
            endpoint.Counters.CountOverLimit();
            connection.Abort();
        });

        private int _hasLeft;

        public bool IsWithin(LinkEndpointOptions options) => _connections <= options.ConnectionsMax;

        /// <summary>It sent a whole ClientHello.</summary>
        public void Greet() => _unadmitted.Greet();

        /// <summary>It has shown a certificate of this cluster, and counts for its source no more.</summary>
        public void Admit() => _unadmitted.Dispose();

        public void Leave()
        {
            if (Interlocked.Exchange(ref _hasLeft, 1) == 0)
            {
                Admit();
                Interlocked.Decrement(ref endpoint._connectionCount);
            }
        }
    }
}
