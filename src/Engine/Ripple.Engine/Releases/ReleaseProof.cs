using System.Collections.Immutable;

namespace Ripple.Engine.Releases;

/// <summary>
/// The proof of a release: its header, the headers after it up to the newest of its batch, and the signature over that newest header's id.
/// The hash chain covers the rest.
/// </summary>
/// <param name="Chain">From the release's own header to the signed one; never empty.</param>
/// <param name="Signature">The signature over the last header's id.</param>
internal sealed record ReleaseProof(ImmutableArray<ReleaseHeader> Chain, ReleaseSignature Signature)
{
    /// <summary>The release's own header.</summary>
    public ReleaseHeader Header => Chain[0];

    /// <summary>The header that is signed.</summary>
    public ReleaseHeader Signed => Chain[^1];

    /// <summary>True when each header names the one before it.</summary>
    public bool IsChained
    {
        get
        {
            for (int i = 1; i < Chain.Length; i++)
            {
                if (Chain[i].PreviousId != Chain[i - 1].Id || Chain[i].Release != Chain[i - 1].Release + 1)
                {
                    return false;
                }
            }

            return Chain.Length > 0;
        }
    }
}
