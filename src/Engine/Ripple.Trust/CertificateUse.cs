namespace Ripple.Trust;

/// <summary>What a certificate is being judged for.</summary>
public enum CertificateUse
{
    /// <summary>A host, as the TLS server.</summary>
    Server,

    /// <summary>A node or a host, as the TLS client.</summary>
    Client,

    /// <summary>A signer of releases. Its signatures stay good after it expires: expiry ends signing, not verification.</summary>
    Signing,
}
