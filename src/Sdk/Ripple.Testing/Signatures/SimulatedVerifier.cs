using Ripple.Engine.Core;
using Ripple.Engine.Releases;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Signatures;

/// <summary>
/// Verifies release signatures for the process running on a machine at construction. Verification takes simulated time outside the core;
/// verified signatures are remembered.
/// </summary>
internal sealed class SimulatedVerifier : ISignatureVerifier
{
    private readonly SimulatedMachine _machine;
    private readonly SimulatedAuthority _authority;
    private readonly ICompletionQueue _completions;
    private readonly long _verifyNs;
    private readonly HashSet<ulong> _signers = [];
    private readonly HashSet<(Digest160 Id, Digest160 Signature)> _verified = [];
    private readonly Queue<(Digest160 Id, Digest160 Signature)> _oldest = new();

    /// <param name="machine">The machine; a process runs on it.</param>
    /// <param name="authority">The cluster's authority.</param>
    /// <param name="verifyNs">The time to verify, in nanoseconds. Default 62 us.</param>
    /// <param name="verifiedMax">The number of newest verified signatures to remember. Default 4,096.</param>
    public SimulatedVerifier(SimulatedMachine machine, SimulatedAuthority authority, long verifyNs = 62_000, int verifiedMax = 4_096)
    {
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(authority);
        _machine = machine;
        _authority = authority;
        _completions = machine.Completions;
        _verifyNs = verifyNs;
        VerifiedMax = verifiedMax;
    }

    /// <summary>The number of verified signatures remembered.</summary>
    public int VerifiedMax { get; }

    /// <summary>Finds another verifier whose memory it also asks, as two clients of one process do; null (the default) for none.</summary>
    public Func<SimulatedVerifier?>? Other { get; init; }

    /// <summary>The number of verifications done.</summary>
    public long VerifyCount { get; private set; }

    /// <inheritdoc/>
    public bool IsVerified(ReleaseSignature signature, in Digest160 id)
    {
        ArgumentNullException.ThrowIfNull(signature);
        (Digest160 Id, Digest160 Signature) key = KeyOf(signature, id);
        return _verified.Contains(key) || Other?.Invoke()?._verified.Contains(key) == true;
    }

    /// <inheritdoc/>
    public void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done)
    {
        ArgumentNullException.ThrowIfNull(signature);
        ArgumentNullException.ThrowIfNull(done);
        _machine.Schedule(_verifyNs, () =>
        {
            VerifyCount++;
            bool isValid = _signers.Contains(signature.SignerId) && _authority.Verify(signature, id);
            _completions.Complete(() =>
            {
                if (isValid)
                {
                    Remember(KeyOf(signature, id));
                }

                done(isValid);
            });
        });
    }

    /// <inheritdoc/>
    public bool TryAddSigner(ReadOnlyMemory<byte> certificate)
    {
        if (_authority.SignerOf(certificate.Span) is not { } signerId)
        {
            return false;
        }

        _signers.Add(signerId);
        return true;
    }

    private static (Digest160 Id, Digest160 Signature) KeyOf(ReleaseSignature signature, in Digest160 id) =>
        (id, Digest160.Hash("signature"u8, signature.Encode()));

    private void Remember((Digest160 Id, Digest160 Signature) key)
    {
        if (!_verified.Add(key))
        {
            return;
        }

        _oldest.Enqueue(key);
        if (_oldest.Count > VerifiedMax)
        {
            _verified.Remove(_oldest.Dequeue());
        }
    }
}
