using System.Security.Cryptography.X509Certificates;
using Ripple.Trust;

namespace Ripple.Transports.Links;

/// <summary>How a node reaches hosts, and who it is.</summary>
internal sealed record LinkConnectorOptions
{
    /// <summary>SHA-256 of the authority's DER certificate: what a host must be certified by. 32 bytes.</summary>
    public required ReadOnlyMemory<byte> Authority { get; init; }

    /// <summary>
    /// The certificate to show, with its key; null when there is none yet: the first connect then enrols. A host connecting to hosts gives
    /// its own.
    /// </summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>
    /// Gives the join token, each time one is needed: off the core thread, so it may read a file. Null: no enrolment; the certificate must
    /// do.
    /// </summary>
    public Func<AccessTokenSecret>? Token { get; init; }

    /// <summary>The application to enrol for; empty leaves it to the token.</summary>
    public string Application { get; init; } = "";

    /// <summary>The name to enrol by; null for the machine's.</summary>
    public string? Name { get; init; }

    /// <summary>
    /// Called off the core thread with each new certificate (with its key), after enrolment and renewal: keep it, for instance with
    /// <see cref="CertificateFile.Save"/>. Must not throw. Null: a restart enrols again, as a new node.
    /// </summary>
    public Action<X509Certificate2>? OnCertificate { get; init; }

    /// <summary>From the start of a connect to its outcome, enrolment included. Default 10 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Bounds of each link.</summary>
    public LinkOptions Link { get; init; } = new();

    /// <summary>The clock certificates are judged by. Default the system's.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>
    /// What a connection string says; the certificate kept from before, and where to keep the next, are for the caller to add.
    /// </summary>
    public static LinkConnectorOptions From(ConnectionString connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return new()
        {
            Authority = connection.Authority,
            Token = connection.ReadToken,
            Application = connection.Application ?? "",
            Name = connection.Name,
        };
    }
}
