namespace Ripple.Trust;

/// <summary>A host's release-signing key: <c>ripple://&lt;cluster&gt;/signer/&lt;name&gt;</c>.</summary>
/// <param name="ClusterId">The cluster.</param>
/// <param name="Name">The host's name.</param>
public sealed record SignerIdentity(Id128 ClusterId, string Name) : CertificateIdentity(ClusterId)
{
    /// <inheritdoc/>
    public override string ToUri() => $"ripple://{ClusterId}/signer/{Name}";
}
