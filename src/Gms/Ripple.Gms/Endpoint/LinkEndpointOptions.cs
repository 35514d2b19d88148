using System.Security.Cryptography.X509Certificates;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Endpoint;

/// <summary>What a host's control endpoint needs, and its bounds.</summary>
internal sealed record LinkEndpointOptions
{
    /// <summary>The cluster's authority: judges certificates and makes those of nodes.</summary>
    public required ClusterAuthority Authority { get; init; }

    /// <summary>The host's TLS certificate with its key, from <see cref="ClusterAuthority.IssueHost"/>.</summary>
    public required X509Certificate2 HostCertificate { get; init; }

    /// <summary>The core's door.</summary>
    public required RequestQueue Requests { get; init; }

    /// <summary>Takes admitted links, on the core thread.</summary>
    public required ILinkAcceptor Acceptor { get; init; }

    /// <summary>Decides who may enrol.</summary>
    public required IEnrollmentPolicy Enrollment { get; init; }

    /// <summary>
    /// Asked at each connect with a good certificate, on a thread of the pool: null admits, a text refuses and is told to the other side.
    /// For revoked tokens. Null admits everybody the authority certified.
    /// </summary>
    public Func<LinkPeer, string?>? Admission { get; init; }

    /// <summary>The most connections, in whatever state. Default 10,000. More are reset at once.</summary>
    public int ConnectionsMax { get; init; } = 10_000;

    /// <summary>The most TLS handshakes at once. Default 64. More wait for their turn, in the order in which their first bytes came, within
    /// <see cref="UnadmittedMax"/> and <see cref="HandshakeTimeout"/>.</summary>
    public int HandshakesMax { get; init; } = 64;

    /// <summary>
    /// The most connections that are not admitted yet: waiting for the handshake, in it, being judged, or enrolling. Default 4,096. More
    /// are reset at once: whoever holds these does not hold those that are in.
    /// </summary>
    public int UnadmittedMax { get; init; } = 4_096;

    /// <summary>The most connections without certificate, past their handshake. Default 256. More are told that the host is busy.</summary>
    public int AnonymousMax { get; init; } = 256;

    /// <summary>How long a TLS handshake may take. Default 10 s.</summary>
    public TimeSpan HandshakeTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a connection without certificate may take to enrol, and one with to be handed to the core. Default 10 s.</summary>
    public TimeSpan AdmissionTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How late a wrong token is answered. Default 250 ms, whatever was wrong.</summary>
    public TimeSpan RefusalDelay { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Bounds of each link.</summary>
    public LinkOptions Link { get; init; } = new();

    /// <summary>The clock certificates are judged by. Default the system's.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>
    /// The most connections that speak HTTP, where the admin API shares the port. Default 0: it does not, and HTTP is not spoken.
    /// </summary>
    public int HttpConnectionsMax { get; init; }
}
