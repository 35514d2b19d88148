using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client.Verification;

/// <summary>One node's access to the process's verifier; results are delivered on the node's core.</summary>
/// <param name="shared">The state shared by the nodes of its core.</param>
/// <param name="trust">The authority as presented on the connection; null before the first.</param>
internal sealed class PooledSignatureVerifier(SharedAuthority shared, Func<AuthorityTrust?> trust) : ISignatureVerifier
{
    /// <inheritdoc/>
    public bool IsVerified(ReleaseSignature signature, in Digest160 id) => shared.Verifier.IsVerified(signature, id);

    /// <inheritdoc/>
    public void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done) => shared.Verify(signature, id, done);

    /// <inheritdoc/>
    public ReadOnlyMemory<byte> CertificateOf(ulong signerId) => shared.Verifier.CertificateOf(signerId) ?? default;

    /// <inheritdoc/>
    public bool TryAddSigner(ReadOnlyMemory<byte> certificate)
    {
        if (shared.Verifier.Trust is null)
        {
            shared.Verifier.TrySetTrust(trust());
        }

        return shared.Verifier.TryAddSigner(certificate);
    }
}
