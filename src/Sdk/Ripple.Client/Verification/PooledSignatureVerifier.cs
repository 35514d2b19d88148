using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client.Verification;

/// <summary>One node's door to the process's verifier: answers come back to its core.</summary>
/// <param name="shared">What the nodes of its core share.</param>
/// <param name="trust">The authority as the connection showed it; null before the first.</param>
internal sealed class PooledSignatureVerifier(SharedAuthority shared, Func<AuthorityTrust?> trust) : ISignatureVerifier
{
    /// <inheritdoc/>
    public bool IsVerified(in Digest160 id) => shared.Verifier.IsVerified(id);

    /// <inheritdoc/>
    public void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done) => shared.Verify(signature, id, done);

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
