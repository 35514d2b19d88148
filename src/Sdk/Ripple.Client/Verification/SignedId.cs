using Ripple.Engine.Releases;

namespace Ripple.Client.Verification;

/// <summary>
/// One signature over one release id. Both are in it: the result for one signature must not stand for another over the same id, which would
/// then be kept as the release's proof, and be refused wherever it is verified again.
/// </summary>
/// <param name="Id">The release id.</param>
/// <param name="SignerId">The signer.</param>
/// <param name="SignatureHash">A digest of the signature's bytes.</param>
internal readonly record struct SignedId(Digest160 Id, ulong SignerId, Digest160 SignatureHash)
{
    public static SignedId Of(ReleaseSignature signature, in Digest160 id) =>
        new(id, signature.SignerId, Digest160.Hash("signature"u8, signature.Bytes.Span));
}
