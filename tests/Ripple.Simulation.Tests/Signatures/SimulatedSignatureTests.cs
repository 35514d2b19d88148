using Ripple.Engine.Core;
using Ripple.Engine.Releases;
using Ripple.Gms;
using Ripple.Testing.Signatures;
using Ripple.Testing.Simulation;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Signatures;

public class SimulatedSignatureTests
{
    private static readonly Digest160 Id = Digest160.Hash("test"u8, "one"u8);
    private static readonly Digest160 OtherId = Digest160.Hash("test"u8, "two"u8);
    private readonly SimulatedAuthority _authority = new(new DeterministicRandom(1));
    private readonly SimulatedWorld _world = new(1);
    private readonly SimulatedMachine _machine;

    public SimulatedSignatureTests()
    {
        _machine = _world.AddNode("a");
        _machine.Start();
    }

    [Fact]
    public void A_signature_has_the_real_length_repeats_and_holds_for_its_id_and_signer_only()
    {
        ReleaseSignature signature = _authority.CreateSigner("host1").Sign(Id);
        Assert.Equal(ReleaseSignature.SignatureBytes, signature.Bytes.Length);
        Assert.Equal(signature.Encode(), _authority.CreateSigner("host1").Sign(Id).Encode());
        Assert.True(_authority.Verify(signature, Id));
        Assert.False(_authority.Verify(signature, OtherId));
        Assert.False(_authority.Verify(signature with { SignerId = _authority.CreateSigner("host2").SignerId }, Id));
        Assert.False(_authority.Verify(signature with { Bytes = signature.Bytes[..63] }, Id));
        byte[] changed = signature.Bytes.ToArray();
        changed[40] ^= 1;
        Assert.False(_authority.Verify(signature with { Bytes = changed }, Id));
        Assert.False(new SimulatedAuthority(new DeterministicRandom(2)).Verify(signature, Id));
    }

    [Fact]
    public void A_verifier_takes_only_signers_certified_by_its_authority_and_remembers_what_it_verified()
    {
        var verifier = new SimulatedVerifier(_machine, _authority, verifiedMax: 1);
        SimulatedSigner signer = _authority.CreateSigner("host1");
        var answers = new List<bool>();
        verifier.Verify(signer.Sign(Id), Id, answers.Add);
        Assert.Empty(answers);
        _world.RunFor(Ms);
        Assert.Equal([false], answers);

        Assert.False(verifier.TryAddSigner(new byte[3]));
        Assert.False(verifier.TryAddSigner(new SimulatedAuthority(new DeterministicRandom(2)).CreateSigner("host1").Certificate));
        Assert.True(verifier.TryAddSigner(signer.Certificate));
        verifier.Verify(signer.Sign(Id), Id, answers.Add);
        verifier.Verify(signer.Sign(Id), OtherId, answers.Add);
        _world.RunFor(Ms);
        Assert.Equal([false, true, false], answers);
        Assert.True(verifier.IsVerified(signer.Sign(Id), Id));
        Assert.False(verifier.IsVerified(signer.Sign(Id), OtherId));
        // What is remembered is this signature: another one over the same id is another question.
        Assert.False(verifier.IsVerified(signer.Sign(OtherId), Id));

        verifier.Verify(signer.Sign(OtherId), OtherId, answers.Add);
        _world.RunFor(Ms);
        Assert.False(verifier.IsVerified(signer.Sign(Id), Id));
        Assert.Equal(4, verifier.VerifyCount);
    }

    [Fact]
    public void A_hosts_signer_takes_time_and_ends_with_its_process()
    {
        IReleaseSigner signer = _authority.CreateSigner("a").OpenOn(_machine);
        var signatures = new List<ReleaseSignature>();
        signer.Sign(Id, signatures.Add);
        Assert.Empty(signatures);
        _world.RunFor(Ms);
        Assert.True(signer.Verify(Assert.Single(signatures), Id));
        signer.Sign(Id, signatures.Add);
        _machine.Crash();
        _machine.Start();
        _world.RunFor(Ms);
        Assert.Single(signatures);
    }
}
