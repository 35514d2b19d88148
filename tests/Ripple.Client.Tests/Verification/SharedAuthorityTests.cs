using Ripple.Client.Tests.Snapshots;
using Ripple.Client.Verification;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Client.Tests.Verification;

public sealed class SharedAuthorityTests : IDisposable
{
    private readonly SignedStates _states = new();
    private readonly Completions _completions = new();
    private readonly SharedVerifier _verifier;
    private readonly SharedAuthority _authority;

    public SharedAuthorityTests()
    {
        _verifier = SharedVerifier.Acquire(_states.Authority.Trust.Fingerprint.Span);
        _verifier.TrySetTrust(_states.Authority.Trust);
        _verifier.TryAddSigner(_states.SignerCertificate);
        _authority = new SharedAuthority(_verifier, _completions);
    }

    public void Dispose()
    {
        _verifier.Release();
        _states.Dispose();
    }

    [Fact]
    public void Many_nodes_ask_once_and_are_answered_in_one_request_to_the_core()
    {
        ReleaseProof proof = _states.Make(3, ("a", "1")).Proof!;
        var answers = new List<bool>();
        for (int i = 0; i < 100; i++)
        {
            _authority.Verify(proof.Signature, proof.Signed.Id, answers.Add);
        }

        _completions.RunOne();
        Assert.Equal(Enumerable.Repeat(true, 100), answers);
        Assert.Equal(1, _verifier.Verifications);
    }

    [Fact]
    public void Forged_signature_does_not_answer_for_the_genuine_one()
    {
        ReleaseProof proof = _states.Make(3, ("a", "1")).Proof!;
        byte[] bytes = proof.Signature.Bytes.ToArray();
        bytes[10] ^= 1;
        bool? genuine = null;
        _authority.Verify(proof.Signature with { Bytes = bytes }, proof.Signed.Id, _ => { });
        _authority.Verify(proof.Signature, proof.Signed.Id, answer => genuine = answer);
        _completions.RunOne();
        _completions.RunOne();
        Assert.True(genuine);
    }

    [Fact]
    public void Forged_signature_is_refused_for_all_who_ask()
    {
        ReleaseProof proof = _states.Make(3, ("a", "1")).Proof!;
        byte[] bytes = proof.Signature.Bytes.ToArray();
        bytes[10] ^= 1;
        var answers = new List<bool>();
        _authority.Verify(proof.Signature with { Bytes = bytes }, proof.Signed.Id, answers.Add);
        _authority.Verify(proof.Signature with { Bytes = bytes.ToArray() }, proof.Signed.Id, answers.Add);
        _completions.RunOne();
        Assert.Equal([false, false], answers);
    }

    [Fact]
    public void Asked_again_after_the_answer_it_answers_again()
    {
        ReleaseProof proof = _states.Make(3, ("a", "1")).Proof!;
        var answers = new List<bool>();
        _authority.Verify(proof.Signature, proof.Signed.Id, answers.Add);
        _completions.RunOne();
        _authority.Verify(proof.Signature, proof.Signed.Id, answers.Add);
        _completions.RunOne();
        Assert.Equal([true, true], answers);
        Assert.Equal(1, _verifier.Verifications);
    }

    /// <summary>The core's door; the test is the core.</summary>
    private sealed class Completions : ICompletionQueue
    {
        private readonly System.Collections.Concurrent.BlockingCollection<Action> _actions = [];

        public void Complete(Action action) => _actions.Add(action);

        public void RunOne() => _actions.Take(TestContext.Current.CancellationToken)();
    }
}
