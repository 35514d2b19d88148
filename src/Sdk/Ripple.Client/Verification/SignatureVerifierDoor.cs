using Ripple.Engine.Core;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client.Verification;

/// <summary>One node's door to the process's verifier: answers come back to its core.</summary>
/// <param name="shared">Verifies.</param>
/// <param name="completions">The core's door for completions.</param>
/// <param name="trust">The authority as the connection showed it; null before the first.</param>
internal sealed class SignatureVerifierDoor(SharedVerifier shared, ICompletionDoor completions, Func<AuthorityTrust?> trust) : ISignatureVerifier
{
    /// <inheritdoc/>
    public bool IsVerified(in Digest160 id) => shared.IsVerified(id);

    /// <inheritdoc/>
    public void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done) =>
        shared.Begin(signature, id, isValid => completions.Complete(() => done(isValid)));

    /// <inheritdoc/>
    public bool TryAddSigner(ReadOnlyMemory<byte> certificate)
    {
        if (shared.Trust is null)
        {
            shared.TrySetTrust(trust());
        }

        return shared.TryAddSigner(certificate);
    }
}
