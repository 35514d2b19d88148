using System.Diagnostics;
using System.Globalization;
using Ripple.Load.Processes;

namespace Ripple.Load.Push.Stalls;

/// <summary>
/// Releases at a fixed rate while processes of nodes are stopped for a while, again and again: what the others take meanwhile, and whether
/// those who were stopped have everything in the end.
/// </summary>
internal sealed class StallRun
{
    private const int Window = 64;
    private const int WindowTimesMax = 10;
    private const double Grown = 1.05;
    private static readonly TimeSpan WindowWarmUp = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan WindowTime = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(PushOptions.StallPeriodSeconds);
    private readonly PushOptions _options;
    private readonly PushSession _session;

    private StallRun(PushOptions options, PushSession session)
    {
        _options = options;
        _session = session;
    }

    public static async Task<StallResult> MeasureAsync(PushOptions options)
    {
        await using PushSession session = await PushSession.StartAsync(options);
        await session.WarmUpAsync();
        return await new StallRun(options, session).MeasureAsync();
    }

    private async Task<StallResult> MeasureAsync()
    {
        ApplicationLoad load = _session.Main;
        double? maximum = _options.Rate > 0 ? null : await MaximumAsync();
        double rate = maximum / 2 ?? _options.Rate;
        int start = load.Publisher.Begun;
        int tenth = _session.Tallies.Count / 10;
        Fleet.HostCost before = await _session.Fleet.HostCostAsync();
        using var stopping = new CancellationTokenSource();
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"rate    {rate:F1} releases a second, where all can take {maximum ?? double.NaN:F1}"));
        Task publishing = load.Publisher.AtRateUntilAsync(rate, stopping.Token);
        double without = await HealthyAsync(0, publishing);
        double one = await HealthyAsync(1, publishing);
        double many = await HealthyAsync(tenth, publishing);
        await stopping.CancelAsync();
        await publishing;
        int count = load.Publisher.Begun - start;
        await load.SettleAsync(start, count);
        await _session.SampleAsync(ClientSample.Rest);
        Fleet.HostCost after = await _session.Fleet.HostCostAsync();
        return new StallResult
        {
            Clients = _options.Clients,
            Processes = _session.Tallies.Count,
            Bytes = _options.Bytes,
            StallMs = _options.StallMs,
            StalledTenth = tenth,
            MaximumS = maximum is { } most ? Math.Round(most, 1) : null,
            Rate = Math.Round(rate, 1),
            HealthyS = Math.Round(without, 1),
            HealthyOneS = Math.Round(one, 1),
            HealthyTenthS = Math.Round(many, 1),
            StallRatio = Math.Round(Math.Min(one, many) / without, 3),
            Evicted = after.Failures - before.Failures,
            CatchUps = after.CatchUps - before.CatchUps,
            Lost = load.LostFrom(start),
        };
    }

    /// <summary>
    /// The releases a second that all nodes take when as many are under way as a window allows. Many processes take long to compile what
    /// is hot: it is measured until it grows no more.
    /// </summary>
    private async Task<double> MaximumAsync()
    {
        ApplicationLoad load = _session.Main;
        using var stopping = new CancellationTokenSource();
        Task publishing = load.Publisher.InWindowAsync(Window, stopping.Token);
        await Task.WhenAny(Task.Delay(WindowWarmUp), publishing);
        (double maximum, bool isGrowing) = (0, true);
        ClientSample[] before = await _session.SampleAsync();
        for (int i = 0; i < WindowTimesMax && isGrowing && !publishing.IsCompleted; i++)
        {
            await Task.WhenAny(Task.Delay(WindowTime), publishing);
            ClientSample[] after = await _session.SampleAsync();
            double now = ReleasesPerSecond(before, after, stalled: 0);
            isGrowing = now > maximum * Grown;
            maximum = Math.Max(maximum, now);
            before = after;
        }

        int begun = load.Publisher.Begun;
        await stopping.CancelAsync();
        await publishing;
        await load.SettleAsync(0, begun);
        return maximum;
    }

    /// <summary>
    /// Stops the first processes for a while in every period, and says how many releases a second a node of the others took. Nobody is
    /// stopped when that is asked.
    /// </summary>
    private async Task<double> HealthyAsync(int stalled, Task publishing)
    {
        var time = TimeSpan.FromMilliseconds(_options.StallMs);
        Child[] children = [.. _session.Fleet.Clients.Take(stalled)];
        ClientSample[] before = await _session.SampleAsync();
        for (int i = 0; i < _options.Seconds / PushOptions.StallPeriodSeconds; i++)
        {
            long begin = Stopwatch.GetTimestamp();
            if (children.Length > 0)
            {
                await Stall.RunAsync(children, time);
            }

            TimeSpan rest = Period - Stopwatch.GetElapsedTime(begin);
            await Task.WhenAny(Task.Delay(rest > TimeSpan.Zero ? rest : TimeSpan.Zero), publishing);
        }

        if (publishing.IsFaulted)
        {
            await publishing;
        }

        double taken = ReleasesPerSecond(before, await _session.SampleAsync(), stalled);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"stopped {stalled}: the others take {taken:F1} releases a second"));
        return taken;
    }

    /// <summary>The mean over the nodes of all processes but the first ones.</summary>
    private double ReleasesPerSecond(ClientSample[] before, ClientSample[] after, int stalled)
    {
        double sum = 0;
        int nodes = 0;
        for (int i = stalled; i < after.Length; i++)
        {
            double seconds = Stopwatch.GetElapsedTime(before[i].AtTicks, after[i].AtTicks).TotalSeconds;
            sum += (after[i].Arrivals - before[i].Arrivals) / seconds;
            nodes += _session.Fleet.NodesOf(i);
        }

        return sum / nodes;
    }
}
