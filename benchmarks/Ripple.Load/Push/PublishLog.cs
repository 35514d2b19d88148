using System.Collections.Concurrent;

namespace Ripple.Load.Push;

/// <summary>The times of all publishes by their number. Any thread.</summary>
internal sealed class PublishLog(int clients)
{
    private readonly ConcurrentDictionary<int, PublishTimes> _times = new();

    /// <summary>Called once a publish is in effect at all nodes, with its number. Null: nobody asks.</summary>
    public Action<int>? OnComplete { get; set; }

    /// <summary>The times of one publish; made when it is first asked for.</summary>
    public PublishTimes this[int publish] => _times.GetOrAdd(publish, static _ => new PublishTimes());

    /// <summary>The times of some publishes, in their order.</summary>
    public PublishTimes[] Range(int start, int count) => [.. Enumerable.Range(start, count).Select(i => this[i])];

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
}
