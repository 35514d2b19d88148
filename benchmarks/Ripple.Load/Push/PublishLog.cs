using System.Collections.Concurrent;
using System.Diagnostics;

namespace Ripple.Load.Push;

/// <summary>The times of all publishes by their number. Any thread.</summary>
internal sealed class PublishLog(int clients)
{
    private static readonly TimeSpan SettleMax = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan LookPeriod = TimeSpan.FromMilliseconds(20);
    private readonly ConcurrentDictionary<int, PublishTimes> _times = new();

    /// <summary>Called once a publish is in effect at all nodes, with its number. Null: nobody asks.</summary>
    public Action<int>? OnComplete { get; set; }

    /// <summary>The times of one publish; made when it is first asked for.</summary>
    public PublishTimes this[int publish] => _times.GetOrAdd(publish, static _ => new PublishTimes());

    /// <summary>The times of some publishes, in their order.</summary>
    public PublishTimes[] Range(int start, int count) => [.. Enumerable.Range(start, count).Select(i => this[i])];

    /// <summary>Waits until some publishes are with all nodes, and not for ever: what is not is lost.</summary>
    public async Task SettleAsync(int start, int count)
    {
        PublishTimes[] times = Range(start, count);
        for (long begin = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(begin) < SettleMax && !IsThrough(times);)
        {
            await Task.Delay(LookPeriod);
        }
    }

    /// <summary>Nodes and publishes that were not seen, or seen with wrong content.</summary>
    public long Lost(int start, int count) => ((long)clients * count) - Range(start, count).Sum(t => (long)t.Nodes);

    /// <summary>Notes what one client process tells of a publish.</summary>
    public void Note(int publish, ulong release, long first, long last, int nodes)
    {
        PublishTimes times = this[publish];
        bool isComplete;
        lock (times)
        {
            // The publish's own answer may still be under way: both have to say the same release.
            if (times.Release != 0 && release != 0 && times.Release != release)
            {
                return;
            }

            times.Release = Math.Max(times.Release, release);
            times.FirstApplied = Math.Min(times.FirstApplied, first);
            times.LastApplied = Math.Max(times.LastApplied, last);
            times.Nodes += nodes;
            isComplete = times.Nodes == clients;
        }

        if (isComplete)
        {
            OnComplete?.Invoke(publish);
        }
    }

    private bool IsThrough(PublishTimes[] times)
    {
        foreach (PublishTimes one in times)
        {
            lock (one)
            {
                if (one.Nodes < clients)
                {
                    return false;
                }
            }
        }

        return true;
    }
}
