using Ripple.Engine.Releases;

namespace Ripple.Gms;

/// <summary>Access to the key that signs releases.</summary>
internal interface IReleaseSigner
{
    /// <summary>The certificate of this signer, DER; nodes verify it against the authority.</summary>
    ReadOnlyMemory<byte> Certificate { get; }

    /// <summary>
    /// The certificates sent to a node at a join: <see cref="Certificate"/> first, then that of the next key where there is one, those of
    /// the signers of what the node is going to be sent, and the newest of the others as long as there are fewer than 8.
    /// </summary>
    IReadOnlyList<ReadOnlyMemory<byte>> CertificatesFor(IEnumerable<ulong> signerIds) => [Certificate];

    /// <summary>
    /// Adds a signer's certificate that a node brought along; true if this cluster's authority certified it for signing. Takes about a
    /// millisecond on the caller's thread where it is new.
    /// </summary>
    bool TryAddSigner(ReadOnlyMemory<byte> certificate) => false;

    /// <summary>
    /// Signs an id outside the core thread. <paramref name="done"/> runs on the signer's thread; the caller returns it to the core.
    /// </summary>
    void Sign(Digest160 id, Action<ReleaseSignature> done);

    /// <summary>
    /// True if the signature over the id is by one of this cluster's signers. Rarely used (to check a proof), so it runs on the caller's
    /// thread.
    /// </summary>
    bool Verify(ReleaseSignature signature, in Digest160 id);
}
