using System.Numerics;

namespace Ripple.Gms.Frontier;

/// <summary>
/// How often a value of a row came to the releases that somebody waits for. Values do not go back within a generation, so each comes to a
/// release once, and what a wait is looked at for is bounded by the rows and not by how often they report. Core thread.
/// </summary>
internal sealed class FrontierCrossings
{
    private readonly SortedList<ulong, WatchedRelease> _byRelease = [];

    /// <summary>The releases that are watched.</summary>
    public int Count => _byRelease.Count;

    /// <summary>Grows when a value came to a release that is watched, or such a release was rejected.</summary>
    public long Version { get; private set; }

    /// <summary>Counts for a release from now on, until <see cref="Leave"/>.</summary>
    public WatchedRelease Watch(ulong release)
    {
        if (!_byRelease.TryGetValue(release, out WatchedRelease? watched))
        {
            watched = new WatchedRelease(release);
            _byRelease.Add(release, watched);
        }

        watched.WatcherCount++;
        return watched;
    }

    /// <summary>One that watched does so no more.</summary>
    public void Leave(WatchedRelease watched)
    {
        watched.WatcherCount--;
        if (watched.WatcherCount == 0)
        {
            _byRelease.Remove(watched.Release);
        }
    }

    /// <summary>The value of a slot grew.</summary>
    /// <param name="slot">The slot.</param>
    /// <param name="before">What it was.</param>
    /// <param name="now">What it is.</param>
    internal void OnRaised(int slot, ulong before, ulong now)
    {
        for (int i = CountUpTo(before); i < _byRelease.Count && _byRelease.GetKeyAtIndex(i) <= now; i++)
        {
            _byRelease.GetValueAtIndex(i).OnReached(slot);
            Version++;
        }
    }

    /// <summary>A member rejected a release.</summary>
    internal void OnRejected(ulong release)
    {
        if (_byRelease.TryGetValue(release, out WatchedRelease? watched))
        {
            watched.RejectionCount++;
            Version++;
        }
    }

    private int CountUpTo(ulong release)
    {
        int low = 0;
        int high = _byRelease.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = _byRelease.GetKeyAtIndex(middle) <= release ? (middle + 1, high) : (low, middle);
        }

        return low;
    }
}

/// <summary>A release that somebody waits for. Core thread.</summary>
/// <param name="release">The release.</param>
internal sealed class WatchedRelease(ulong release)
{
    private readonly long[] _reached = new long[FrontierRow.SlotsMax];

    public ulong Release => release;

    /// <summary>How many watch it.</summary>
    public int WatcherCount { get; set; }

    /// <summary>How many rejections of it there were since it is watched.</summary>
    public long RejectionCount { get; set; }

    /// <summary>How many values came to it since it is watched, in some of the slots, one bit for each.</summary>
    public long ReachedIn(uint slots)
    {
        long count = 0;
        for (; slots != 0; slots &= slots - 1)
        {
            count += _reached[BitOperations.TrailingZeroCount(slots)];
        }

        return count;
    }

    internal void OnReached(int slot) => _reached[slot]++;
}
