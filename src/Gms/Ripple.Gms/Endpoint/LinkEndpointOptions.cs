using System.Security.Cryptography.X509Certificates;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Endpoint;

/// <summary>Dependencies and limits of a host's control endpoint.</summary>
internal sealed record LinkEndpointOptions
{
    /// <summary>The default of <see cref="UnadmittedMax"/>.</summary>
    public const int UnadmittedMaxDefault = 4_096;

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
    public Func<LinkPeer, CancellationToken, ValueTask<string?>>? Admission { get; init; }

    /// <summary>
    /// What everybody is told while this host does not lead: nobody is enrolled or admitted. Any thread. Null, the default: it leads.
    /// </summary>
    public Func<LinkRefusal>? StandsBy { get; init; }

    /// <summary>
    /// What a node with a good certificate is told instead while this host does not lead. It may take a while, within
    /// <see cref="AdmissionTimeout"/>; the token is cancelled when the node has gone. Any thread. Null, the default: what
    /// <see cref="StandsBy"/> says.
    /// </summary>
    public Func<CancellationToken, ValueTask<LinkRefusal>>? StandsByNodes { get; init; }

    /// <summary>
    /// What another host of the cluster is told. Any thread. Null, the default: it is judged by <see cref="Admission"/> as a node is.
    /// </summary>
    public Func<LinkRefusal>? AnswerHost { get; init; }

    /// <summary>Called with where each token comes from with which nobody may enrol. Any thread. Default: nothing.</summary>
    public Action<string> OnWrongToken { get; init; } = static _ => { };

    /// <summary>Called with where each certificate comes from that is not good here. Any thread. Default: nothing.</summary>
    public Action<string> OnWrongCertificate { get; init; } = static _ => { };

    /// <summary>
    /// Called with each node that gets a certificate by a token, and its name, on a thread pool thread, before it is sent. Default:
    /// nothing.
    /// </summary>
    public Action<NodeIdentity, string> OnEnrolled { get; init; } = static (_, _) => { };

    /// <summary>The most connections, in any state; further ones are reset immediately. Default 10,000.</summary>
    public int ConnectionsMax { get; init; } = 10_000;

    /// <summary>
    /// The most concurrent TLS handshakes, of which one source address has a quarter. Default 64. Further connections wait once their
    /// ClientHello is there, source addresses in turn, within <see cref="UnadmittedMax"/> and <see cref="HandshakeTimeout"/>.
    /// </summary>
    public int HandshakesMax { get; init; } = 64;

    /// <summary>
    /// The most connections not yet admitted: silent, waiting for the handshake, in it, being verified, or enrolling. Beyond it the oldest
    /// of the source address with the most is reset, those that have sent no ClientHello first. Default 4,096. Exhausting this limit does
    /// not affect admitted connections.
    /// </summary>
    public int UnadmittedMax { get; init; } = UnadmittedMaxDefault;

    /// <summary>
    /// The most connections of one source address (IPv4 address, IPv6 /64) that have sent no ClientHello yet; beyond it its oldest is
    /// reset. Default 512.
    /// </summary>
    public int SilentPerAddressMax { get; init; } = 512;

    /// <summary>The time limit for a whole ClientHello. Default 5 s.</summary>
    public TimeSpan HelloTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The most connections without a certificate past their handshake that are served at once, and half of it for one source address;
    /// further ones wait for their turn within <see cref="AdmissionTimeout"/>, and are then told that the host is busy. Default 256.
    /// </summary>
    public int AnonymousMax { get; init; } = 256;

    /// <summary>The time in which a connection without a certificate must ask to enroll, once it has its turn. Default 3 s.</summary>
    public TimeSpan EnrollTimeout { get; init; } = TimeSpan.FromSeconds(3);

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

    /// <summary>
    /// The most HTTP connections with a good token, when the admin API shares the port, and again as many without. Of the former one token
    /// has half, and the longest idle one gives way; of the latter the oldest of the source address with the most does. Default 0: no HTTP
    /// on this port.
    /// </summary>
    public int HttpConnectionsMax { get; init; }

    /// <summary>The time in which an HTTP connection must make a first request with a good token. Default 5 s.</summary>
    public TimeSpan HttpProofTimeout { get; init; } = TimeSpan.FromSeconds(5);
}
