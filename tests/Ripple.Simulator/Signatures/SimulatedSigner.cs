using Ripple.Engine.Releases;
using Ripple.Gms;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Signatures;

/// <summary>A host's signing key. Created by <see cref="SimulatedAuthority.CreateSigner"/>.</summary>
internal sealed class SimulatedSigner
{
    private readonly SimulatedAuthority _authority;

    internal SimulatedSigner(SimulatedAuthority authority, ulong signerId, byte[] certificate)
    {
        _authority = authority;
        SignerId = signerId;
        Certificate = certificate;
    }

    /// <summary>The signer id contained in its signatures.</summary>
    public ulong SignerId { get; }

    /// <summary>The proof that the authority created it.</summary>
    public ReadOnlyMemory<byte> Certificate { get; }

    /// <summary>Signs an id deterministically.</summary>
    public ReleaseSignature Sign(in Digest160 id) => new(SignerId, _authority.Sign(SignerId, id));

    /// <summary>The key as used by a host's process: signing takes time, and signatures in progress are lost with the process.</summary>
    /// <param name="machine">The host; a process runs on it.</param>
    /// <param name="signNs">The time to sign, in nanoseconds. Default 22 us.</param>
    public IReleaseSigner OpenOn(SimulatedMachine machine, long signNs = 22_000)
    {
        ArgumentNullException.ThrowIfNull(machine);
        return new MachineSigner(this, machine, signNs);
    }

    private sealed class MachineSigner(SimulatedSigner signer, SimulatedMachine machine, long signNs) : IReleaseSigner
    {
        public ReadOnlyMemory<byte> Certificate => signer.Certificate;

        public void Sign(Digest160 id, Action<ReleaseSignature> done) => machine.Schedule(signNs, () => done(signer.Sign(id)));

        public bool Verify(ReleaseSignature signature, in Digest160 id) => signer._authority.Verify(signature, id);
    }
}
