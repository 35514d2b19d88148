namespace Ripple.Gms.Frontier;

/// <summary>The releases that one member rejected, lowest first, from one source. Bounded. Belongs to the core thread.</summary>
internal sealed class FrontierRejections
{
    private readonly List<FrontierRejection> _all = [];

    /// <summary>All of them, lowest release first.</summary>
    public IReadOnlyList<FrontierRejection> All => _all;

    /// <summary>The rejection of a release; null when there is none.</summary>
    public FrontierRejection? Find(ulong release)
    {
        foreach (FrontierRejection rejection in _all)
        {
            if (rejection.Release == release)
            {
                return rejection;
            }
        }

        return null;
    }

    /// <summary>
    /// Adds a rejection; true if it is new. The first reason is kept, unless a longer one begins with it. Beyond
    /// <see cref="FrontierRow.RejectionsMax"/> the lowest release is dropped.
    /// </summary>
    public bool Add(ulong release, string reason)
    {
        int index = IndexOf(release);
        if (index < _all.Count && _all[index].Release == release)
        {
            // A ring carries only the beginning of a reason; the member's own report, which may arrive later, has the full text.
            if (reason.Length > _all[index].Reason.Length && reason.StartsWith(_all[index].Reason, StringComparison.Ordinal))
            {
                _all[index] = new FrontierRejection(release, Cut(reason));
            }

            return false;
        }

        if (_all.Count == FrontierRow.RejectionsMax && index == 0)
        {
            return false;
        }

        _all.Insert(index, new FrontierRejection(release, Cut(reason)));
        if (_all.Count > FrontierRow.RejectionsMax)
        {
            _all.RemoveAt(0);
        }

        return true;
    }

    /// <summary>Removes a rejection, so that another source's reason can take its place.</summary>
    public void Remove(ulong release)
    {
        int index = IndexOf(release);
        if (index < _all.Count && _all[index].Release == release)
        {
            _all.RemoveAt(index);
        }
    }

    public void Clear() => _all.Clear();

    private int IndexOf(ulong release)
    {
        int index = 0;
        while (index < _all.Count && _all[index].Release < release)
        {
            index++;
        }

        return index;
    }

    private static string Cut(string reason)
    {
        if (reason.Length <= FrontierRow.ReasonCharsMax)
        {
            return reason;
        }

        // Never cuts through a surrogate pair.
        bool isPair = char.IsHighSurrogate(reason[FrontierRow.ReasonCharsMax - 1]);
        return reason[..(isPair ? FrontierRow.ReasonCharsMax - 1 : FrontierRow.ReasonCharsMax)];
    }
}

/// <summary>A release that a member refused to put into effect.</summary>
/// <param name="Release">The release.</param>
/// <param name="Reason">The reason, in at most <see cref="FrontierRow.ReasonCharsMax"/> characters.</param>
internal readonly record struct FrontierRejection(ulong Release, string Reason);
