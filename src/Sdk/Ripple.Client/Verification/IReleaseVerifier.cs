using Ripple.Trust;

namespace Ripple.Client.Verification;

/// <summary>Checks signatures against the signers certified by one authority: by ECDSA, or by a simulated authority. Thread-safe.</summary>
internal interface IReleaseVerifier : IDisposable
{
    /// <summary>As <see cref="ReleaseVerifier.TryAdd"/>.</summary>
    bool TryAdd(ReadOnlySpan<byte> certificate, out ulong signerId);

    /// <summary>Whether a known signer signed the release. Never throws on untrusted input.</summary>
    /// <exception cref="ObjectDisposedException">The verifier was disposed of.</exception>
    bool IsSigned(ulong signerId, ReadOnlySpan<byte> releaseId, ReadOnlySpan<byte> signature);
}

/// <summary>Checks ECDSA signatures of certified signers.</summary>
internal sealed class CertifiedVerifier(AuthorityTrust trust) : IReleaseVerifier
{
    private readonly ReleaseVerifier _verifier = new(trust);

    public bool TryAdd(ReadOnlySpan<byte> certificate, out ulong signerId) => _verifier.TryAdd(certificate, out signerId);

    public bool IsSigned(ulong signerId, ReadOnlySpan<byte> releaseId, ReadOnlySpan<byte> signature) =>
        _verifier.Verify(signerId, trust.ClusterId, releaseId, signature) == SignatureStatus.Verified;

    public void Dispose() => _verifier.Dispose();
}
