namespace Ripple.Engine.Releases;

/// <summary>A message that claims a release number, and what speaks for it. Core thread.</summary>
internal sealed class PendingRelease(ReleaseMessage message, ClaimRank rank)
{
    public ReleaseMessage Message { get; } = message;

    public ulong Release => Message.Header.Release;

    public Digest160 Id => Message.Header.Id;

    public ClaimRank Rank { get; private set; } = rank;

    /// <summary>True once its signature is known to be the primary's.</summary>
    public bool IsVerified { get; private set; }

    /// <summary>
    /// The claim of the same number that was held next after it; null for the newest. Belongs to <see cref="PendingReleases"/>.
    /// </summary>
    public PendingRelease? Newer { get; set; }

    /// <summary>Counts up with each claim that is held. Belongs to <see cref="PendingReleases"/>.</summary>
    public long Age { get; set; }

    /// <summary>The last search that found it linked to the head. Belongs to <see cref="PendingReleases"/>.</summary>
    public long LinkedIn { get; set; }

    /// <summary>True when both have the same id and the same signature, or none.</summary>
    public bool IsSame(PendingRelease other) =>
        Id == other.Id
        && (Message.Signature is { } signature
            ? other.Message.Signature is { } others
                && others.SignerId == signature.SignerId
                && others.Bytes.Span.SequenceEqual(signature.Bytes.Span)
            : other.Message.Signature is null);

    /// <summary>Its signature is the primary's.</summary>
    public void Verify()
    {
        IsVerified = true;
        Rank = ClaimRank.Trusted;
    }
}
