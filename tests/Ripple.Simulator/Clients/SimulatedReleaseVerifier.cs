using Ripple.Client.Verification;
using Ripple.Engine.Releases;
using Ripple.Simulator.Signatures;

namespace Ripple.Simulator.Clients;

/// <summary>Checks signatures by the simulated authority, for the verifier of a client.</summary>
internal sealed class SimulatedReleaseVerifier(SimulatedAuthority authority) : IReleaseVerifier
{
    private readonly SortedSet<ulong> _signers = [];

    /// <inheritdoc/>
    public bool TryAdd(ReadOnlySpan<byte> certificate, out ulong signerId)
    {
        signerId = authority.SignerOf(certificate) ?? 0;
        if (signerId == 0)
        {
            return false;
        }

        _signers.Add(signerId);
        return true;
    }

    /// <inheritdoc/>
    public bool IsSigned(ulong signerId, ReadOnlySpan<byte> releaseId, ReadOnlySpan<byte> signature) =>
        _signers.Contains(signerId)
        && authority.Verify(new ReleaseSignature(signerId, signature.ToArray()), Digest160.Read(releaseId));

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
