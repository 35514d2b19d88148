using System.Security.Cryptography.X509Certificates;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Endpoint;

/// <summary>Dependencies and limits of a host's control endpoint.</summary>
internal sealed record LinkEndpointOptions
{
    /// <summary>The cluster's authority: verifies certificates and issues those of nodes.</summary>
    public required ClusterAuthority Authority { get; init; }

    /// <summary>The host's TLS certificate with its key, from <see cref="ClusterAuthority.IssueHost"/>.</summary>
    public required X509Certificate2 HostCertificate { get; init; }

    /// <summary>The core's request queue.</summary>
    public required RequestQueue Requests { get; init; }

    /// <summary>Receives admitted links, on the core thread.</summary>
    public required ILinkAcceptor Acceptor { get; init; }

    /// <summary>Decides which nodes may enroll.</summary>
    public required IEnrollmentPolicy Enrollment { get; init; }

    /// <summary>
    /// Called for each connection with a good certificate, on a thread pool thread: null admits, a text refuses and is sent to the peer.
    /// Used for revoked tokens. A null hook admits every peer that the authority certified.
    /// </summary>
    public Func<LinkPeer, string?>? Admission { get; init; }

    /// <summary>The most connections, in any state; further ones are reset immediately. Default 10,000.</summary>
    public int ConnectionsMax { get; init; } = 10_000;

    /// <summary>
    /// The most concurrent TLS handshakes. Default 64. Further connections wait in the order of their first bytes, within
    /// <see cref="UnadmittedMax"/> and <see cref="HandshakeTimeout"/>.
    /// </summary>
    public int HandshakesMax { get; init; } = 64;

    /// <summary>
    /// The most connections not yet admitted: waiting for the handshake, in it, being verified, or enrolling; further ones are reset
    /// immediately. Default 4,096. Exhausting this limit does not affect admitted connections.
    /// </summary>
    public int UnadmittedMax { get; init; } = 4_096;

    /// <summary>
    /// The most connections without a certificate past their handshake; further ones are told that the host is busy. Default 256.
    /// </summary>
    public int AnonymousMax { get; init; } = 256;

    /// <summary>The time limit of a TLS handshake. Default 10 s.</summary>
    public TimeSpan HandshakeTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The time limit to enroll without a certificate, or to be handed to the core with one. Default 10 s.</summary>
    public TimeSpan AdmissionTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The delay before a wrong token is answered, whatever was wrong. Default 250 ms.</summary>
    public TimeSpan RefusalDelay { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Limits of each link.</summary>
    public LinkOptions Link { get; init; } = new();

    /// <summary>The clock that certificates are checked against. Default the system's.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>The most HTTP connections, when the admin API shares the port. Default 0: no HTTP on this port.</summary>
    public int HttpConnectionsMax { get; init; }
}
