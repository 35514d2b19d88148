namespace Ripple.Engine.Releases;

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
