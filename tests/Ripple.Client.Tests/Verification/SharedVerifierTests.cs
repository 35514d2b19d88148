using Ripple.Client.Tests.Snapshots;
using Ripple.Client.Verification;
using Ripple.Engine.Releases;

namespace Ripple.Client.Tests.Verification;

public sealed class SharedVerifierTests : IDisposable
{
    private readonly SignedStates _states = new();
    private readonly SharedVerifier _verifier;

    public SharedVerifierTests() => _verifier = SharedVerifier.Acquire(_states.Authority.Trust.Fingerprint.Span);

    public void Dispose()
    {
        _verifier.Release();
        _states.Dispose();
    }

    [Fact]
    public async Task One_signature_is_verified_once_for_all_who_ask()
    {
        Trust();
        ReleaseProof proof = _states.Make(3, ("a", "1")).Proof!;
        bool[] answers = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => BeginAsync(proof.Signature, proof.Signed.Id)));
        Assert.All(answers, Assert.True);
        Assert.True(_verifier.IsVerified(proof.Signature, proof.Signed.Id));
        Assert.InRange(_verifier.Verifications, 1, 2);
        long before = _verifier.Verifications;
        Assert.True(await BeginAsync(proof.Signature, proof.Signed.Id));
        Assert.Equal(before, _verifier.Verifications);
    }

    [Fact]
    public async Task A_forged_signature_is_refused_and_does_not_answer_for_the_genuine_one()
    {
        Trust();
        ReleaseProof proof = _states.Make(3, ("a", "1")).Proof!;
        byte[] forged = proof.Signature.Bytes.ToArray();
        forged[10] ^= 1;
        Task<bool> bad = BeginAsync(new ReleaseSignature(proof.Signature.SignerId, forged), proof.Signed.Id);
        Task<bool> good = BeginAsync(proof.Signature, proof.Signed.Id);
        Assert.True(await good);
        Assert.False(await bad);
        // Nor does the genuine one, once it is remembered, answer for it.
        Assert.False(await BeginAsync(new ReleaseSignature(proof.Signature.SignerId, forged), proof.Signed.Id));
        Assert.False(_verifier.IsVerified(new ReleaseSignature(proof.Signature.SignerId, forged), proof.Signed.Id));
        Assert.False(_verifier.IsVerified(new ReleaseSignature(proof.Signature.SignerId + 1, proof.Signature.Bytes), proof.Signed.Id));
    }

    [Fact]
    public void Nothing_is_believed_before_the_authority_is_known()
    {
        ReleaseProof proof = _states.Make(3, ("a", "1")).Proof!;
        Assert.False(_verifier.TryAddSigner(_states.SignerCertificate));
        Assert.False(_verifier.Verify(proof.Signature, proof.Signed.Id));
        using var others = new SignedStates();
        Assert.False(_verifier.TrySetTrust(others.Authority.Trust));
        Trust();
        Assert.False(_verifier.TryAddSigner(others.SignerCertificate));
        Assert.True(_verifier.Verify(proof.Signature, proof.Signed.Id));
    }

    [Fact]
    public void Clients_of_one_authority_share_a_verifier_until_the_last_is_gone()
    {
        var again = SharedVerifier.Acquire(_states.Authority.Trust.Fingerprint.Span);
        Assert.Same(_verifier, again);
        again.Release();
        Assert.Same(_verifier, SharedVerifier.Acquire(_states.Authority.Trust.Fingerprint.Span));
        _verifier.Release();
    }

    [Fact]
    public void The_memory_of_verified_signatures_is_bounded_and_forgets_what_was_not_asked_for_longest()
    {
        var ids = new VerifiedSignatures(3);
        SignedId[] all = [.. Enumerable.Range(0, 4).Select(i => new SignedId(Digest160.Hash("id"u8, [(byte)i]), 1, default))];
        ids.Add(all[0]);
        ids.Add(all[1]);
        ids.Add(all[2]);
        Assert.True(ids.Contains(all[0]));
        ids.Add(all[3]);
        Assert.Equal(3, ids.Count);
        Assert.True(ids.Contains(all[0]));
        Assert.False(ids.Contains(all[1]));
    }

    private void Trust()
    {
        Assert.True(_verifier.TrySetTrust(_states.Authority.Trust));
        Assert.True(_verifier.TryAddSigner(_states.SignerCertificate));
    }

    private Task<bool> BeginAsync(ReleaseSignature signature, Digest160 id)
    {
        var answer = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        _verifier.Begin(signature, id, answer.SetResult);
        return answer.Task;
    }
}
