namespace Ripple.Engine.Releases;

/// <summary>Verifies signatures outside the core thread, each once per process.</summary>
internal interface ISignatureVerifier
{
    /// <summary>
    /// True when this very signature over the id was already verified in this process: another one over the same id is another question.
    /// Core thread.
    /// </summary>
    bool IsVerified(ReleaseSignature signature, in Digest160 id);

    /// <summary>Starts verifying; <paramref name="done"/> runs later on the core thread, once, with the result. Core thread.</summary>
    void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done);

    /// <summary>
    /// Adds a signer's certificate. True when the cluster's authority certified it, now or earlier. Core thread; rarely called.
    /// </summary>
    bool TryAddSigner(ReadOnlyMemory<byte> certificate);

    /// <summary>The certificate of a signer that was added; empty if it is not known. Core thread; rarely called.</summary>
    ReadOnlyMemory<byte> CertificateOf(ulong signerId) => default;
}
