using System.Diagnostics;
using Ripple.Load.Fanout.Net;
using Ripple.Transports.Running;

namespace Ripple.Load.Processes;

/// <summary>
/// Asks a core for nothing every few milliseconds, and notes how long it took until the core came to it: what a call waits for behind
/// whatever the core does, with the time until the system lets its thread run. And how much processor time the core used from one answer to
/// the next: no turn, and nothing that an alarm or a packet waits behind, took more.
/// </summary>
internal sealed class CoreProbe : IAsyncDisposable
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(2);
    private readonly Lock _gate = new();
    private readonly List<double> _waitsMs = [];
    private readonly CancellationTokenSource _stopping = new();
    private readonly Task _running;
    private double _busyMsMax;

    public CoreProbe(CoreRunner runner) => _running = Task.Run(() => RunAsync(runner, _stopping.Token));

    /// <summary>Before the core ends.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stopping.Dispose();
    }

    /// <summary>
    /// The waits' 99th percentile and longest, and the most processor time between two answers, since the last call of this.
    /// </summary>
    public (double WaitP99Ms, double WaitMaxMs, double BusyMaxMs) Take()
    {
        lock (_gate)
        {
            _waitsMs.Sort();
            int count = _waitsMs.Count;
            (double, double, double) result = count == 0
                ? (0, 0, 0)
                : (_waitsMs[Math.Min(count - 1, count * 99 / 100)], _waitsMs[^1], _busyMsMax);
            _waitsMs.Clear();
            _busyMsMax = 0;
            return result;
        }
    }

    private async Task RunAsync(CoreRunner runner, CancellationToken cancellation)
    {
        using var timer = new PeriodicTimer(Pause);
        long cpuBeforeNs = await runner.RunAsync(Linux.ThreadCpuNs);
        while (await timer.WaitForNextTickAsync(cancellation))
        {
            long asked = Stopwatch.GetTimestamp();
            (long ran, long cpuNs) = await runner.RunAsync(() => (Stopwatch.GetTimestamp(), Linux.ThreadCpuNs()));
            lock (_gate)
            {
                _waitsMs.Add(Stopwatch.GetElapsedTime(asked, ran).TotalMilliseconds);
                _busyMsMax = Math.Max(_busyMsMax, (cpuNs - cpuBeforeNs) / 1e6);
            }

            cpuBeforeNs = cpuNs;
        }
    }
}
