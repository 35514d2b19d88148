using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Threading.Channels;

namespace Ripple.Load.Push;

/// <summary>Counts who of a process has which publish, and tells each once all have it. Any thread.</summary>
/// <param name="clients">The nodes of the process.</param>
/// <param name="lines">What it tells goes there.</param>
/// <param name="word">The first word of what it tells.</param>
internal sealed class Arrivals(int clients, ChannelWriter<string> lines, string word = Arrivals.Word)
{
    /// <summary>Of the application that is measured.</summary>
    public const string Word = "all";

    /// <summary>Of an application beside it.</summary>
    public const string WordBeside = "beside";

    private readonly ConcurrentDictionary<int, Arrival> _open = new();
    private long _total;
    private long _bad;
    private long _skipped;

    /// <summary>Arrivals with the right content, of all publishes together.</summary>
    public long Total => Interlocked.Read(ref _total);

    /// <summary>Values that did not hash to what they say.</summary>
    public long Bad => Interlocked.Read(ref _bad);

    /// <summary>Releases that watches left out.</summary>
    public long Skipped => Interlocked.Read(ref _skipped);

    /// <summary>Notes releases that a watch left out.</summary>
    public void AddSkipped(long releases) => Interlocked.Add(ref _skipped, releases);

    /// <summary>Notes a value that was wrong.</summary>
    public void AddBad() => Interlocked.Increment(ref _bad);

    /// <summary>Notes that one client has a publish; once for each client.</summary>
    /// <param name="publish">Its number.</param>
    /// <param name="release">Its release; 0 when the client cannot tell.</param>
    public void Add(int publish, ulong release)
    {
        long now = Stopwatch.GetTimestamp();
        Interlocked.Increment(ref _total);
        Arrival arrival = _open.GetOrAdd(publish, static (_, r) => new Arrival(r), release);
        lock (arrival)
        {
            arrival.Count++;
            arrival.First = Math.Min(arrival.First, now);
            arrival.Last = Math.Max(arrival.Last, now);
            if (arrival.Count == clients)
            {
                Tell(publish, arrival);
            }
        }
    }

    /// <summary>Tells what is not with all.</summary>
    public void TellRest()
    {
        foreach ((int publish, Arrival arrival) in _open)
        {
            lock (arrival)
            {
                Tell(publish, arrival);
            }
        }
    }

    private void Tell(int publish, Arrival arrival)
    {
        if (_open.TryRemove(publish, out _))
        {
            lines.TryWrite(
                string.Create(
                    CultureInfo.InvariantCulture, $"{word} {publish} {arrival.Release} {arrival.First} {arrival.Last} {arrival.Count}"));
        }
    }

    private sealed class Arrival(ulong release)
    {
        public ulong Release { get; } = release;

        public int Count { get; set; }

        public long First { get; set; } = long.MaxValue;

        public long Last { get; set; }
    }
}
