using Ripple.Trust;

namespace Ripple.Client.Verification;

/// <summary>Checks ECDSA signatures of certified signers.</summary>
internal sealed class CertifiedVerifier(AuthorityTrust trust) : IReleaseVerifier
{
    private readonly ReleaseVerifier _verifier = new(trust);

    public bool TryAdd(ReadOnlySpan<byte> certificate, out ulong signerId) => _verifier.TryAdd(certificate, out signerId);

    public bool IsSigned(ulong signerId, ReadOnlySpan<byte> releaseId, ReadOnlySpan<byte> signature) =>
        _verifier.Verify(signerId, trust.ClusterId, releaseId, signature) == SignatureStatus.Verified;

    public void Dispose() => _verifier.Dispose();
}
