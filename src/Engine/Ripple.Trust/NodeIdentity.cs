namespace Ripple.Trust;

/// <summary>
/// A node: <c>ripple://&lt;cluster&gt;/node/&lt;id&gt;?app=&lt;application&gt;&amp;role=&lt;role&gt;&amp;token=&lt;token id&gt;</c>.
/// </summary>
/// <param name="ClusterId">The cluster.</param>
/// <param name="NodeId">Made by the host at enrolment.</param>
/// <param name="Application">The application the node belongs to.</param>
/// <param name="Role">One of <see cref="NodeRoles"/>.</param>
/// <param name="TokenId">The id of the token it enrolled with, by which it is revoked: 16 hexadecimal digits.</param>
public sealed record NodeIdentity(Id128 ClusterId, Id128 NodeId, string Application, string Role, string TokenId)
    : CertificateIdentity(ClusterId)
{
    /// <inheritdoc/>
    public override string ToUri() => $"ripple://{ClusterId}/node/{NodeId}?app={Application}&role={Role}&token={TokenId}";
}
