namespace Ripple.Trust;

/// <summary>A host: <c>ripple://&lt;cluster&gt;/host/&lt;name&gt;</c>.</summary>
/// <param name="ClusterId">The cluster.</param>
/// <param name="Name">Unique in the cluster: 1 to 64 of <c>A-Z a-z 0-9 . _ -</c>.</param>
public sealed record HostIdentity(Id128 ClusterId, string Name) : CertificateIdentity(ClusterId)
{
    /// <inheritdoc/>
    public override string ToUri() => $"ripple://{ClusterId}/host/{Name}";
}
