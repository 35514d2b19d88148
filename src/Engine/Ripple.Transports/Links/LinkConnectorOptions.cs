using System.Security.Cryptography.X509Certificates;
using Ripple.Trust;

namespace Ripple.Transports.Links;

/// <summary>How a node connects to hosts, and its own identity.</summary>
internal sealed record LinkConnectorOptions
{
    /// <summary>SHA-256 of the DER certificate of the authority that must have certified each host. 32 bytes.</summary>
    public required ReadOnlyMemory<byte> Authority { get; init; }

    /// <summary>
    /// The certificate to present, with its key; null when there is none yet: the first connect then enrolls. A host that connects to hosts
    /// presents its own.
    /// </summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>
    /// Returns the join token each time one is needed. Called off the core thread, so it may read a file. Null: no enrollment; the
    /// certificate must suffice.
    /// </summary>
    public Func<AccessTokenSecret>? Token { get; init; }

    /// <summary>The application to enroll for; empty to let the token decide.</summary>
    public string Application { get; init; } = "";

    /// <summary>The name to enroll with; null for the machine's name.</summary>
    public string? Name { get; init; }

    /// <summary>
    /// Called off the core thread with each new certificate (with its key), after enrollment and renewal: store it, for instance with
    /// <see cref="CertificateFile.Save"/>. Must not throw. Null: a restart enrolls again, as a new node.
    /// </summary>
    public Action<X509Certificate2>? OnCertificate { get; init; }

    /// <summary>The time limit of a connect, enrollment included. Default 10 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The time limit of TCP's handshake, which a machine that is gone never answers: another host is asked then. Default 2 s.
    /// </summary>
    public TimeSpan TcpTimeout { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>
    /// The time limit of the TLS handshake, behind which another host is asked: what takes connections may be no host, or one that hangs.
    /// It doubles for a host each time that it was too short, since a host that many reach at once is slow, and is at most
    /// <see cref="ConnectTimeout"/>. Default 4 s.
    /// </summary>
    public TimeSpan TlsTimeout { get; init; } = TimeSpan.FromSeconds(4);

    /// <summary>Bounds of each link.</summary>
    public LinkOptions Link { get; init; } = new();

    /// <summary>The clock for judging certificates. Default the system's.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>
    /// The options that a connection string contains; the caller adds the stored certificate, and the callback that stores the next one.
    /// </summary>
    public static LinkConnectorOptions From(ConnectionString connection)
    {
        return new()
        {
            Authority = connection.Authority,
            Token = connection.ReadToken,
            Application = connection.Application ?? "",
            Name = connection.Name,
        };
    }
}
