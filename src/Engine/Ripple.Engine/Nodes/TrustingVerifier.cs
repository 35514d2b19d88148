using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>Accepts every signature: <see cref="PlantedNodeBugs.SkipSignature"/>.</summary>
internal sealed class TrustingVerifier(ISignatureVerifier inner) : ISignatureVerifier
{
    public bool IsVerified(in Digest160 id) => true;

    public void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done) => done(true);

    public bool TryAddSigner(ReadOnlyMemory<byte> certificate) => inner.TryAddSigner(certificate);
}
