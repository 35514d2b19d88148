namespace Ripple.Transports.Links;

/// <summary>Why a side ends a link or refuses an enrolment. The numbers are on the wire.</summary>
internal enum LinkRefusalCode : byte
{
    /// <summary>An orderly end; the text says why.</summary>
    Closed = 0,

    /// <summary>Nobody is taken now: full, starting or stopping. Later, or another host.</summary>
    Busy = 1,

    /// <summary>Known, and not let in: a revoked token, an unknown one, an application it is not good for.</summary>
    NotAdmitted = 2,

    /// <summary>The certificate is out of time: enrol again.</summary>
    CertificateExpired = 3,

    /// <summary>The certificate is not of this cluster's authority, or names nobody: enrol again.</summary>
    CertificateUnknown = 4,

    /// <summary>The other side broke the form: an unknown link frame, a body too long, a request that cannot be read.</summary>
    Malformed = 5,
}
