using System.Security.Cryptography.X509Certificates;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// Has a running host sign with another key before its certificate ends. The new certificate is given to every node one step before the key
/// is used: a release comes by datagrams, and would overtake it. One caller at a time.
/// </summary>
/// <param name="signer">The signer.</param>
/// <param name="trust">Issues and keeps the certificates.</param>
/// <param name="tell">Tells the members of a certificate.</param>
internal sealed class SignerRenewal(QueuedReleaseSigner signer, HostTrust trust, Func<ReadOnlyMemory<byte>, Task> tell)
{
    private bool _isTold;

    /// <summary>True if the certificate of the key in use is in its last third.</summary>
    public bool IsDue()
    {
        using X509Certificate2 certificate = X509CertificateLoader.LoadCertificate(signer.Certificate.Span);
        return trust.Authority.IsDue(certificate);
    }

    /// <summary>Uses the key whose certificate was told, else makes one and tells it if the present one is due.</summary>
    /// <param name="isDue">True to make another key.</param>
    /// <exception cref="GmsServerException">It cannot be kept; the host goes on with the present key.</exception>
    public async Task StepAsync(bool isDue)
    {
        if (_isTold)
        {
            signer.UseNext();
            _isTold = false;
            return;
        }

        if (isDue)
        {
            // Kept on disk first: a host that ends here starts with this key, and every node joins it anew.
            var next = new ReleaseSigner(trust.SignerCertificate(isAnother: true));
            signer.Prepare(next);
            await tell(next.CertificateDer).ConfigureAwait(false);
            _isTold = true;
        }
    }
}
