namespace Ripple.Transports.Links;

/// <summary>Why a side ends a link or refuses an enrollment. The numbers are on the wire.</summary>
internal enum LinkRefusalCode : byte
{
    /// <summary>An orderly end; the text says why.</summary>
    Closed = 0,

    /// <summary>No new links are accepted now: full, starting or stopping. Try later, or another host.</summary>
    Busy = 1,

    /// <summary>Not admitted: a token that is revoked, unknown, or not valid for the application.</summary>
    NotAdmitted = 2,

    /// <summary>The certificate has expired: enroll again.</summary>
    CertificateExpired = 3,

    /// <summary>The certificate is not from this cluster's authority, or contains no identity: enroll again.</summary>
    CertificateUnknown = 4,

    /// <summary>The other side violated the protocol: an unknown link frame, a body too long, a request that cannot be read.</summary>
    Malformed = 5,
}
