using Ripple.Engine.Releases;

namespace Ripple.Gms;

/// <summary>The door to the key that signs releases.</summary>
internal interface IReleaseSigner
{
    /// <summary>The certificate that names this signer, DER: nodes judge it against the authority.</summary>
    ReadOnlyMemory<byte> Certificate { get; }

    /// <summary>
    /// What nodes are told at a join: <see cref="Certificate"/>, and those of earlier keys whose signatures are still in the store. At most
    /// 8.
    /// </summary>
    IReadOnlyList<ReadOnlyMemory<byte>> Certificates => [Certificate];

    /// <summary>
    /// Signs an id, outside the core thread; <paramref name="done"/> runs wherever the signer works: the caller brings it back to the core.
    /// </summary>
    void Sign(Digest160 id, Action<ReleaseSignature> done);

    /// <summary>
    /// True when this signature over the id is by this cluster's signers. Seldom used (a proof), so on the caller's thread.
    /// </summary>
    bool Verify(ReleaseSignature signature, in Digest160 id);
}
