using System.Globalization;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

/// <summary>
/// Judges the certificate shown by a host in a TLS handshake by the authority's fingerprint alone; the machine's trust store and the host's
/// name are ignored. Reusable for consecutive handshakes; not thread-safe.
/// </summary>
/// <param name="fingerprint">SHA-256 of the authority's certificate, 32 bytes: the <c>Authority</c> of the connection string.</param>
/// <param name="time">The clock.</param>
public sealed class HostJudge(ReadOnlyMemory<byte> fingerprint, TimeProvider time)
{
    /// <summary>The authority of the last host judged; null unless that host is trusted.</summary>
    public AuthorityTrust? Trust { get; private set; }

    /// <summary>The last host judged; null unless it is trusted.</summary>
    public HostIdentity? Host { get; private set; }

    /// <summary>
    /// Why the last host judged is not trusted, and what to do about it; null if it is trusted, and before the first call.
    /// </summary>
    public string? Error { get; private set; }

    /// <summary>
    /// Whether the certificate is currently valid and belongs to a host of the pinned authority. Resets the other properties.
    /// </summary>
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
