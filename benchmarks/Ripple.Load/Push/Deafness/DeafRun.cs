using System.Diagnostics;
using System.Globalization;

namespace Ripple.Load.Push.Deafness;

/// <summary>
/// Releases at a fixed rate while one process of nodes takes no UDP any more: how soon it is a leaf, how far behind the others it is
/// then, and whether they notice.
/// </summary>
internal sealed class DeafRun
{
    private static readonly TimeSpan LeafMax = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan LookPeriod = TimeSpan.FromMilliseconds(20);
    private readonly PushOptions _options;
    private readonly PushSession _session;
    private readonly PublishLog _deaf;

    private DeafRun(PushOptions options, PushSession session)
    {
        _options = options;
        _session = session;
        _deaf = session.Apart!;
    }

    public static async Task<DeafResult> MeasureAsync(PushOptions options)
    {
        await using PushSession session = await PushSession.StartAsync(options);
        await session.WarmUpAsync();
        return await new DeafRun(options, session).MeasureAsync();
    }

    private async Task<DeafResult> MeasureAsync()
    {
        ApplicationLoad load = _session.Main;
        Fleet fleet = _session.Fleet;
        int start = load.Publisher.Begun;
        Fleet.HostCost before = await fleet.HostCostAsync();
        using var stopping = new CancellationTokenSource();
        Task publishing = load.Publisher.AtRateUntilAsync(_options.Rate, stopping.Token);
        double healthy = await TakenAsync(publishing);
        int heard = load.Publisher.Begun;
        await _session.Tallies[0].AskAsync(DeafClientsRole.GoDeaf);
        double? leafSeconds = await LeafAsync(fleet);
        int leaf = load.Publisher.Begun;
        double healthyLeaf = await TakenAsync(publishing);
        await stopping.CancelAsync();
        await publishing;
        int end = load.Publisher.Begun;
        await load.SettleAsync(start, end - start);
        await _deaf.SettleAsync(start, end - start);
        await _session.SampleAsync(ClientSample.Rest);
        Fleet.HostCost after = await fleet.HostCostAsync();
        PublishTimes[] calm = load.Log.Range(start, heard - start);
        PublishTimes[] others = load.Log.Range(leaf, end - leaf);
        long[] behind = [.. others.Zip(_deaf.Range(leaf, end - leaf), (o, d) => Math.Max(0, d.LastApplied - o.LastApplied))];
        return new DeafResult
        {
            Clients = _options.Clients,
            Processes = _session.Tallies.Count,
            Bytes = _options.Bytes,
            Rate = _options.Rate,
            LeafSeconds = leafSeconds is { } seconds ? Math.Round(seconds, 3) : null,
            LeafBehindP50Ms = Round(Percentile.OfMs(behind, 50)),
            LeafBehindP99Ms = Round(Percentile.OfMs(behind, 99)),
            LeafBehindMaxMs = Round(Percentile.OfMs(behind, 100)),
            HealthyS = Math.Round(healthy, 1),
            HealthyLeafS = Math.Round(healthyLeaf, 1),
            HealthyLastP50Ms = Round(PublishTimes.ToLastMs(calm, 50)),
            HealthyLastP99Ms = Round(PublishTimes.ToLastMs(calm, 99)),
            HealthyLastP50MsLeaf = Round(PublishTimes.ToLastMs(others, 50)),
            HealthyLastP99MsLeaf = Round(PublishTimes.ToLastMs(others, 99)),
            Evicted = after.Failures - before.Failures,
            Lost = load.LostFrom(start) + _deaf.Lost(start, end - start),
        };
    }

    /// <summary>The releases a second that a node of the others takes.</summary>
    private async Task<double> TakenAsync(Task publishing)
    {
        ClientSample[] before = await _session.SampleAsync();
        await Task.WhenAny(Task.Delay(TimeSpan.FromSeconds(_options.Seconds)), publishing);
        if (publishing.IsFaulted)
        {
            await publishing;
        }

        ClientSample[] after = await _session.SampleAsync();
        double taken = before.Zip(after).Skip(1).Sum(
            s => (s.Second.Arrivals - s.First.Arrivals) / Stopwatch.GetElapsedTime(s.First.AtTicks, s.Second.AtTicks).TotalSeconds);
        return taken / (_options.Clients - _session.Fleet.NodesOf(0));
    }

    /// <summary>Waits until the host has a leaf; how long that took.</summary>
    private static async Task<double?> LeafAsync(Fleet fleet)
    {
        long begin = Stopwatch.GetTimestamp();
        while (await fleet.LeavesAsync() == 0)
        {
            if (Stopwatch.GetElapsedTime(begin) > LeafMax)
            {
                return null;
            }

            await Task.Delay(LookPeriod);
        }

        double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"leaf    after {seconds:F3} s"));
        return seconds;
    }

    private static double Round(double value) => Math.Round(value, 3);
}
