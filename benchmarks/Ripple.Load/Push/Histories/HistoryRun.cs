using System.Globalization;

namespace Ripple.Load.Push.Histories;

/// <summary>
/// Publishes the versions of a document in order, and finds out what each node has of each, and what the host sent for that.
/// </summary>
internal static class HistoryRun
{
    public static async Task<HistoryResult> MeasureAsync(PushOptions options, DocumentHistory history)
    {
        await using PushSession session = await PushSession.StartAsync(options);
        ApplicationLoad load = session.Main;
        await session.WarmUpAsync(async () => await session.SampleAsync(HistoryClientsRole.NameQuestion));
        int start = load.Publisher.Begun;
        // Nobody else publishes: the versions are the releases behind the last one.
        ulong first = load.Log[start - 1].Release + 1;
        await session.SampleAsync(string.Create(CultureInfo.InvariantCulture, $"{HistoryClientsRole.FirstQuestion} {first} {start}"));

        Fleet.HostCost before = await session.Fleet.HostCostAsync();
        await load.Publisher.InOrderAsync(DocumentHistory.Key, history.Versions);
        await load.SettleAsync(start, history.Versions.Count);
        Fleet.HostCost after = await session.Fleet.HostCostAsync();

        await session.SampleAsync(ClientSample.Rest);
        long[][] told = await Task.WhenAll(session.Tallies.Select(ProveAsync));
        PublishTimes[] times = load.Log.Range(start, history.Versions.Count);
        bool isTcpKnown = after.ControlBytes >= 0;
        double sent = after.DatagramBytes - before.DatagramBytes + (isTcpKnown ? after.ControlBytes - before.ControlBytes : 0);
        Console.WriteLine($"sent    {(isTcpKnown ? "udp and tcp" : "udp, for tcp is not known")}; releases {first} to "
            + $"{first + (ulong)history.Versions.Count - 1}");
        return new HistoryResult
        {
            Document = Path.GetFileName(options.History!),
            IsMulticast = options.IsMulticast,
            Clients = options.Clients,
            Processes = options.Processes,
            Rate = options.Rate,
            DocumentBytes = Math.Round((double)history.Bytes / history.Versions.Count),
            Releases = history.Versions.Count,
            BytesSent = sent,
            SentShare = Math.Round(sent / history.Bytes / options.Clients, 5),
            LastP50Ms = Math.Round(PublishTimes.ToLastMs(times, 50), 3),
            LastP99Ms = Math.Round(PublishTimes.ToLastMs(times, 99), 3),
            CatchUps = after.CatchUps - before.CatchUps,
            Superseded = told.Sum(t => t[2]),
            Mismatches = told.Sum(t => t[1]),
            Lost = ((long)options.Clients * history.Versions.Count) - told.Sum(t => t[0] + t[1]),
        };
    }

    private static async Task<long[]> ProveAsync(ClientTally tally) =>
        [.. (await tally.AskAsync(HistoryClientsRole.ProveQuestion)).Skip(1).Select(long.Parse)];
}
