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

/// <summary>Counts the verifications under way, so that nothing is decided while a newer release is being verified. Core thread.</summary>
/// <param name="inner">Verifies.</param>
/// <param name="onEnded">Called after each result has been taken.</param>
internal sealed class CountedVerifier(ISignatureVerifier inner, Action onEnded) : ISignatureVerifier
{
    /// <summary>Verifications whose result has not been taken.</summary>
    public int UnderWay { get; private set; }

    /// <summary>True while a result is taken, and what it lets others follow.</summary>
    public bool IsTaking { get; private set; }

    public bool IsVerified(ReleaseSignature signature, in Digest160 id) => inner.IsVerified(signature, id);

    public void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done)
    {
        UnderWay++;
        inner.Verify(signature, id, isValid =>
        {
            bool isWithin = IsTaking;
            IsTaking = true;
            done(isValid);
            IsTaking = isWithin;
            UnderWay--;
            onEnded();
        });
    }

    public bool TryAddSigner(ReadOnlyMemory<byte> certificate) => inner.TryAddSigner(certificate);
}
