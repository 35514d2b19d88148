using System.Diagnostics;
using System.Globalization;
using Ripple.Load.Push;

namespace Ripple.Load.Events;

/// <summary>What the subscribers of this process are shown: each box in the book, and how long it took. Any thread.</summary>
internal sealed class ShownLog(ShownBook book)
{
    private readonly Lock _lock = new();
    private List<long> _ticks = [];

    /// <summary>A box has an event that was just taken.</summary>
    public void Add(int box, ReadOnlySpan<byte> payload, long dropped)
    {
        (long number, long ticks) = EventsWorkload.Read(payload);
        ticks = Stopwatch.GetTimestamp() - ticks;
        book.Note(number, box, dropped);
        lock (_lock)
        {
            _ticks.Add(ticks);
        }
    }

    /// <summary>Answers a line: "begin" forgets the times of before, and all else is told those since.</summary>
    public string Answer(string line)
    {
        lock (_lock)
        {
            if (line == "begin")
            {
                _ticks = [];
                return "begun";
            }

            return string.Create(
                CultureInfo.InvariantCulture, $"shown {Percentile.OfMs(_ticks, 50):F3} {Percentile.OfMs(_ticks, 99):F3}");
        }
    }
}
