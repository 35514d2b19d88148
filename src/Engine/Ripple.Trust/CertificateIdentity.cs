namespace Ripple.Trust;

/// <summary>
/// The identity in a certificate issued by the cluster's authority, read from its single URI name. The format is strict: each identity has
/// exactly one spelling.
/// </summary>
/// <param name="ClusterId">The cluster.</param>
public abstract record CertificateIdentity(Id128 ClusterId)
{
    /// <summary>The URI exactly as it appears in the certificate.</summary>
    public abstract string ToUri();
}
