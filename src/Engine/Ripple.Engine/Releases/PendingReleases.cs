using Ripple.Engine.Regions;

namespace Ripple.Engine.Releases;

/// <summary>
/// Messages above the newest verified release, by release number: usually one per number, up to four when some are forged. Bounded in
/// numbers, messages per number, and bytes. A message never waits for room that a message of a lower rank holds. Core thread.
/// </summary>
internal sealed class PendingReleases
{
    /// <summary>How far above the newest verified release messages are held.</summary>
    public const int WindowReleases = 256;

    /// <summary>The most messages that claim one number.</summary>
    public const int ClaimantsMax = 4;

    /// <summary>The most bytes of all messages.</summary>
    public const long BytesMax = 8 * 1_024 * 1_024;

    private PendingRelease?[] _oldest = [];
    private ulong _head;
    private Digest160 _headId;
    private long _age;
    private long _search;
    private int _unverified;

    /// <summary>How many release numbers have a message.</summary>
    public int Count { get; private set; }

    /// <summary>How many messages have a verified signature.</summary>
    public int VerifiedCount { get; private set; }

    /// <summary>The bytes of all messages.</summary>
    public long Bytes { get; private set; }

    /// <summary>True when messages of this number are held.</summary>
    public bool IsInside(ulong release) => release > _head && release - _head <= WindowReleases;

    /// <summary>The message that was held first for a number, and leads to the others; null for none.</summary>
    public PendingRelease? First(ulong release) => Count > 0 && IsInside(release) ? _oldest[IndexOf(release)] : null;

    /// <summary>
    /// Holds a message. For want of room, those give way first that have the lowest rank, then those that do not link to the head, then the
    /// oldest. False when everything held speaks more for itself, or its number is outside the window.
    /// </summary>
    /// <param name="claim">The message.</param>
    /// <param name="hasEvicted">Whether others gave way, which may have been genuine.</param>
    public bool TryAdd(PendingRelease claim, out bool hasEvicted)
    {
        hasEvicted = false;
        if (!IsInside(claim.Release))
        {
            return false;
        }

        return IsKnown(claim) || (TryMakeRoom(claim, ref hasEvicted) && Add(claim));
    }

    public void Remove(PendingRelease claim)
    {
        PendingRelease? before = null;
        PendingRelease? held = First(claim.Release);
        while (held is not null && !ReferenceEquals(held, claim))
        {
            before = held;
            held = held.Newer;
        }

        if (held is null)
        {
            return;
        }

        if (before is not null)
        {
            before.Newer = claim.Newer;
        }
        else
        {
            _oldest[IndexOf(claim.Release)] = claim.Newer;
            Count -= claim.Newer is null ? 1 : 0;
        }

        claim.Newer = null;
        NoteCounts(claim, -1);
    }

    /// <summary>
    /// The signed message to verify next: what the host said first, and of those the nearest to the head. Null when every signature is
    /// verified.
    /// </summary>
    public PendingRelease? NextToVerify()
    {
        PendingRelease? next = null;
        int left = _unverified;
        for (ulong release = _head + 1; left > 0 && release <= _head + WindowReleases; release++)
        {
            for (PendingRelease? claim = First(release); claim is not null; claim = claim.Newer)
            {
                if (claim.Message.Signature is null || claim.IsVerified)
                {
                    continue;
                }

                left--;
                next = next is null || claim.Rank > next.Rank ? claim : next;
            }
        }

        return next;
    }

    /// <summary>Sets the newest verified release: drops messages at or below it, and those that are now too far ahead of it.</summary>
    public void SetHead(ulong head, in Digest160 id)
    {
        bool isNear = head >= _head && head - _head <= WindowReleases;
        ulong last = isNear ? head : _head + WindowReleases;
        for (ulong release = _head + 1; release <= last && Count > 0; release++)
        {
            if (release <= head || release - head > WindowReleases)
            {
                Drop(release);
            }
        }

        _head = head;
        _headId = id;
    }

    public void Clear()
    {
        for (ulong release = _head + 1; Count > 0; release++)
        {
            Drop(release);
        }
    }

    private static int IndexOf(ulong release) => (int)(release % WindowReleases);

    /// <summary>
    /// True when the same is held already. What is verified, or comes from the host, takes the place of others with its id: only what is
    /// beside the header can differ, and theirs may be forged.
    /// </summary>
    private bool IsKnown(PendingRelease claim)
    {
        PendingRelease? held = First(claim.Release);
        while (held is not null)
        {
            PendingRelease? next = held.Newer;
            if (held.Id == claim.Id)
            {
                if (held.IsVerified || (held.Rank >= claim.Rank && held.IsSame(claim) && !claim.IsVerified))
                {
                    return true;
                }

                if (claim.IsVerified || held.IsSame(claim))
                {
                    Remove(held);
                }
            }

            held = next;
        }

        return false;
    }

    private bool Add(PendingRelease claim)
    {
        _oldest = _oldest.Length == 0 ? new PendingRelease?[WindowReleases] : _oldest;
        claim.Age = ++_age;
        if (First(claim.Release) is { } newest)
        {
            while (newest.Newer is { } newer)
            {
                newest = newer;
            }

            newest.Newer = claim;
        }
        else
        {
            _oldest[IndexOf(claim.Release)] = claim;
            Count++;
        }

        NoteCounts(claim, 1);
        return true;
    }

    private void NoteCounts(PendingRelease claim, int sign)
    {
        Bytes += sign * claim.Message.HeldBytes;
        VerifiedCount += claim.IsVerified ? sign : 0;
        _unverified += claim.Message.Signature is not null && !claim.IsVerified ? sign : 0;
    }

    private bool TryMakeRoom(PendingRelease claim, ref bool hasEvicted)
    {
        int claimants = 0;
        for (PendingRelease? held = First(claim.Release); held is not null; held = held.Newer)
        {
            claimants++;
        }

        if (claimants < ClaimantsMax && Bytes + claim.Message.HeldBytes <= BytesMax)
        {
            return true;
        }

        MarkLinked();
        if (claimants == ClaimantsMax && !TryEvict(claim, Worst(claim.Release, null), ref hasEvicted))
        {
            return false;
        }

        while (Bytes + claim.Message.HeldBytes > BytesMax)
        {
            PendingRelease? worst = null;
            for (ulong release = _head + 1; release <= _head + WindowReleases; release++)
            {
                worst = Worst(release, worst);
            }

            // What is trusted does not push aside what is trusted as much: the host brings it again, in order.
            if ((worst?.Rank == ClaimRank.Trusted && Weigh(worst) == Weigh(claim)) || !TryEvict(claim, worst, ref hasEvicted))
            {
                return false;
            }
        }

        return true;
    }

    private bool TryEvict(PendingRelease claim, PendingRelease? worst, ref bool hasEvicted)
    {
        if (worst is null || Weigh(worst) > Weigh(claim))
        {
            return false;
        }

        Remove(worst);
        hasEvicted = true;
        return true;
    }

    /// <summary>Which of a number's messages and another one gives way first.</summary>
    private PendingRelease? Worst(ulong release, PendingRelease? worst)
    {
        for (PendingRelease? held = First(release); held is not null; held = held.Newer)
        {
            bool isWorse = worst is null || Weigh(held) < Weigh(worst) || (Weigh(held) == Weigh(worst) && held.Age < worst.Age);
            worst = isWorse ? held : worst;
        }

        return worst;
    }

    /// <summary>Rank before link.</summary>
    private int Weigh(PendingRelease claim) => (2 * (int)claim.Rank) + (IsLinked(claim) ? 1 : 0);

    private bool IsLinked(PendingRelease claim) => claim.LinkedIn == _search || IsAfterLinked(claim);

    private bool IsAfterLinked(PendingRelease claim)
    {
        if (claim.Release == _head + 1)
        {
            return claim.Message.Header.PreviousId == _headId;
        }

        for (PendingRelease? before = First(claim.Release - 1); before is not null; before = before.Newer)
        {
            if (before.LinkedIn == _search && before.Id == claim.Message.Header.PreviousId)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Finds what links to the head, over messages that are held: from the head up, as long as there is any.</summary>
    private void MarkLinked()
    {
        _search++;
        bool isAny = true;
        for (ulong release = _head + 1; isAny && release <= _head + WindowReleases; release++)
        {
            isAny = false;
            for (PendingRelease? claim = First(release); claim is not null; claim = claim.Newer)
            {
                if (IsAfterLinked(claim))
                {
                    claim.LinkedIn = _search;
                    isAny = true;
                }
            }
        }
    }

    private void Drop(ulong release)
    {
        while (First(release) is { } claim)
        {
            Remove(claim);
        }
    }
}

/// <summary>A message that claims a release number, and what speaks for it. Core thread.</summary>
/// <param name="message">The message.</param>
/// <param name="rank">What speaks for it.</param>
/// <param name="sealer">The member that sealed the packet which completed it; null if that was the host, or it came from there.</param>
internal sealed class PendingRelease(ReleaseMessage message, ClaimRank rank, NodeId? sealer = null)
{
    public ReleaseMessage Message { get; } = message;

    public NodeId? Sealer { get; } = sealer;

    public ulong Release => Message.Header.Release;

    public Digest160 Id => Message.Header.Id;

    public ClaimRank Rank { get; private set; } = rank;

    /// <summary>Whether the host said it over its connection.</summary>
    public bool IsFromHost { get; } = rank == ClaimRank.Trusted;

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

/// <summary>What speaks for a message that claims a release number, from least to most.</summary>
internal enum ClaimRank
{
    /// <summary>Nothing: anyone with the region's key may have made it.</summary>
    Unsigned,

    /// <summary>A signature that nobody has verified yet.</summary>
    Signed,

    /// <summary>The host said it over its own connection, or its signature is verified.</summary>
    Trusted,
}
