namespace Ripple.Engine.Releases;

/// <summary>Verifies signatures outside the core thread, once per id and process.</summary>
internal interface ISignatureVerifier
{
    /// <summary>True when this id was already verified in this process. Core thread.</summary>
    bool IsVerified(in Digest160 id);

    /// <summary>Starts verifying; <paramref name="done"/> runs later on the core thread, once, with the result. Core thread.</summary>
    void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done);

    /// <summary>
    /// Adds a signer's certificate. True when the cluster's authority certified it, now or earlier. Core thread; rarely called.
    /// </summary>
    bool TryAddSigner(ReadOnlyMemory<byte> certificate);
}
