namespace Ripple.Engine.Releases;

/// <summary>The door to the verification of signatures: outside the core thread, once an id and process.</summary>
internal interface ISignatureVerifier
{
    /// <summary>True when this id was verified in this process before: no work is needed. Core thread.</summary>
    bool IsVerified(in Digest160 id);

    /// <summary>Starts verifying; <paramref name="done"/> runs on the core thread later, once, with the answer. Core thread.</summary>
    void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done);

    /// <summary>Takes a signer's certificate. True when the cluster's authority certified it, now or before. Core thread; seldom.</summary>
    bool TryAddSigner(ReadOnlyMemory<byte> certificate);
}
