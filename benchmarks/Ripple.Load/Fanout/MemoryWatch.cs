using System.Diagnostics;

namespace Ripple.Load.Fanout;

/// <summary>Notes the resident memory of both processes, once a second, while something runs.</summary>
internal sealed class MemoryWatch(FanoutSession session)
{
    private static readonly TimeSpan Distance = TimeSpan.FromSeconds(1);
    private readonly List<(double AtSeconds, double Mb)> _notes = [];

    public async Task DuringAsync(Task running)
    {
        long start = Stopwatch.GetTimestamp();
        while (await Task.WhenAny(running, Task.Delay(Distance)) != running)
        {
            _notes.Add((Stopwatch.GetElapsedTime(start).TotalSeconds, session.ResidentMb()));
        }
    }

    /// <summary>The mean between two times of a run; NaN when there was none.</summary>
    public double MeanMb(double fromSeconds, double toSeconds) =>
        _notes.Where(n => n.AtSeconds >= fromSeconds && n.AtSeconds < toSeconds).Select(n => n.Mb).DefaultIfEmpty(double.NaN).Average();
}
