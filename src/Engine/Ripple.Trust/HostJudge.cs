using System.Globalization;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

/// <summary>
/// Judges the certificate that a host shows in a TLS handshake by the authority's fingerprint alone: the machine's trust store has no say,
/// and neither has the name. One for each handshake, or for several one after another; not for two threads at once.
/// </summary>
/// <param name="fingerprint">SHA-256 of the authority's certificate, 32 bytes: the <c>Authority</c> of the connection string.</param>
/// <param name="time">The time of day.</param>
public sealed class HostJudge(ReadOnlyMemory<byte> fingerprint, TimeProvider time)
{
    /// <summary>The authority of the last host that was judged; null unless that host is trusted.</summary>
    public AuthorityTrust? Trust { get; private set; }

    /// <summary>The last host that was judged; null unless it is trusted.</summary>
    public HostIdentity? Host { get; private set; }

    /// <summary>Why the last host that was judged is not trusted, and what to do; null when it is, and before the first.</summary>
    public string? Error { get; private set; }

    /// <summary>True when the certificate is a host's of the pinned authority, now. Replaces what was said of the host before.</summary>
    public bool IsTrusted(X509Certificate? shown)
    {
        (Trust, Host, Error) = (null, null, null);
        if (shown is not X509Certificate2 certificate)
        {
            Error = "it showed no certificate";
            return false;
        }

        if (AuthorityTrust.FromPinned(certificate, fingerprint.Span) is not { } trust)
        {
            Error = "its certificate was issued by another authority. Compare the Authority of the connection string with the "
                + "fingerprint the host prints";
            return false;
        }

        TrustVerdict verdict = trust.Judge(certificate, CertificateUse.Server, time.GetUtcNow(), out CertificateIdentity? identity);
        if (verdict == TrustVerdict.Trusted)
        {
            (Trust, Host) = (trust, (HostIdentity)identity!);
            return true;
        }

        Error = verdict == TrustVerdict.OutOfTime
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"its certificate is valid from {certificate.NotBefore:u} to {certificate.NotAfter:u} only. Compare the clocks")
            : "its certificate is not a host's, or only claims to be of the authority";
        return false;
    }
}
