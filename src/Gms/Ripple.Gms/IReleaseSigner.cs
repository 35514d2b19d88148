using Ripple.Engine.Releases;

namespace Ripple.Gms;

/// <summary>Access to the key that signs releases.</summary>
internal interface IReleaseSigner
{
    /// <summary>The certificate of this signer, DER; nodes verify it against the authority.</summary>
    ReadOnlyMemory<byte> Certificate { get; }

    /// <summary>
    /// The certificates sent to nodes at a join: <see cref="Certificate"/> and those of earlier keys with signatures still in the store. At
    /// most 8.
    /// </summary>
    IReadOnlyList<ReadOnlyMemory<byte>> Certificates => [Certificate];

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
