namespace Ripple.Trust;

/// <summary>The use a certificate is judged for.</summary>
public enum CertificateUse
{
    /// <summary>A host, as the TLS server.</summary>
    Server,

    /// <summary>A node or a host, as the TLS client.</summary>
    Client,

    /// <summary>A signer of releases. Its signatures remain valid after it expires: expiry ends signing, not verification.</summary>
    Signing,
}
