namespace Ripple.Trust;

/// <summary>
/// Who a certificate of the cluster's authority speaks for, read from its one URI name. The form is strict: one spelling a meaning.
/// </summary>
/// <param name="ClusterId">The cluster.</param>
public abstract record CertificateIdentity(Id128 ClusterId)
{
    /// <summary>The URI as it stands in the certificate.</summary>
    public abstract string ToUri();
}
