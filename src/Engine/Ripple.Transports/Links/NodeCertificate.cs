using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Transports.Links;

/// <summary>The certificate that a connector presents, prepared for TLS once. Immutable.</summary>
internal sealed class NodeCertificate(X509Certificate2 certificate)
{
    public X509Certificate2 Certificate { get; } = certificate;

    public SslStreamCertificateContext Context { get; } = SslStreamCertificateContext.Create(certificate, null, offline: true);

    /// <summary>True while it has not expired.</summary>
    public bool IsGood(DateTimeOffset now) => now < Certificate.NotAfter;
}
