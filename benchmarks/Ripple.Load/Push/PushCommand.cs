using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Ripple.Load.Peers;
using Ripple.Load.Processes;

namespace Ripple.Load.Push;

/// <summary>The publisher: starts a host and client processes, publishes at a steady rate, and puts together who had what when.</summary>
internal static class PushCommand
{
    private const int WarmUp = 20;
    private static readonly TimeSpan ProofTimeout = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan SettleMax = TimeSpan.FromSeconds(30);

    public static async Task<int> RunAsync(string[] args)
    {
        (PeerComparison? peers, args) = await PeerComparison.TakeAsync(args);
        using PeerComparison? comparison = peers;
        if (PushOptions.Parse(args, out string error) is not { } options)
        {
            await Console.Error.WriteLineAsync($"{error}\n{PushOptions.Usage}");
            return 2;
        }

        await (peers?.MeasureAsync(options.Clients, options.Bytes, options.Count, options.Rate) ?? Task.CompletedTask);
        PushResult result = await MeasureAsync(options);
        await (peers?.MeasureAsync(options.Clients, options.Bytes, options.Count, options.Rate) ?? Task.CompletedTask);
        if (options.IsJson)
        {
            Console.WriteLine(peers?.AddTo(result) ?? JsonSerializer.Serialize(result));
        }

        return result.Lost == 0 ? 0 : 1;
    }

    private static async Task<PushResult> MeasureAsync(PushOptions options)
    {
        await using var fleet = new Fleet();
        await fleet.StartAsync(options.Clients, options.IsSdk);
        // One more node: it publishes, and what is proven of all is proven of it too.
        RippleClient publisher = await RippleClient.ConnectAsync(
            await File.ReadAllTextAsync(fleet.PublisherConnection),
            new RippleClientOptions { Application = Fleet.Application, Name = "publisher", SnapshotMode = SnapshotMode.Off });
        await using (publisher)
        {
            return await MeasureAsync(fleet, publisher, options);
        }
    }

    private static async Task<PushResult> MeasureAsync(Fleet fleet, RippleClient publisher, PushOptions options)
    {
        PublishTimes[] times = [.. Enumerable.Range(0, WarmUp + options.Count).Select(_ => new PublishTimes())];
        ClientTally[] tallies = [.. fleet.Clients.Select(_ => new ClientTally())];
        Task[] reading = [.. fleet.Clients.Select((c, i) => Task.Run(() => tallies[i].ReadAsync(c, (publish, release, first, last, nodes) => Note(times[publish], release, first, last, nodes))))];

        await PublishAsync(publisher, times, 0, WarmUp, options);
        await SettleAsync(times.AsMemory(0, WarmUp), options.Clients);
        await fleet.AskClientsAsync("counters");
        await Task.WhenAll(tallies.Select(t => t.Before));
        Fleet.HostCost before = await fleet.HostCostAsync();
        double ownCpuMs = ProcessCost.CpuMs;
        long verified = publisher.Verifications;

        await PublishAsync(publisher, times, WarmUp, options.Count, options);
        ReadOnlyMemory<PublishTimes> measured = times.AsMemory(WarmUp);
        await SettleAsync(measured, options.Clients);
        Fleet.HostCost after = await fleet.HostCostAsync();
        ownCpuMs = ProcessCost.CpuMs - ownCpuMs;
        await fleet.AskClientsAsync("rest");
        await Task.WhenAll(tallies.Select(t => t.After));

        double Clients(int value) => tallies.Sum(t => t.After.Result[value] - t.Before.Result[value]);
        PublishTimes[] all = measured.ToArray();
        Explain(all, after.CatchUps - before.CatchUps, Clients(2), Clients(3));
        double control = after.ControlBytes < 0 ? 0 : after.ControlBytes - before.ControlBytes;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"sent    udp {(after.DatagramBytes - before.DatagramBytes) / options.Count / 1e3:F1} KB a release, tcp {(after.ControlBytes < 0 ? "not known" : $"{control / options.Count / 1e3:F1} KB")}, beacons to all {(after.Beacons - before.Beacons) / options.Count:F2}, repairs {(after.Repairs - before.Repairs) / options.Count:F2}"));
        return new PushResult
        {
            IsSdk = options.IsSdk,
            Clients = options.Clients,
            Bytes = options.Bytes,
            Count = options.Count,
            Rate = options.Rate,
            LastP50Ms = Round(Percentile.OfMs(Spans(all, t => t.LastApplied - t.Called), 50)),
            LastP99Ms = Round(Percentile.OfMs(Spans(all, t => t.LastApplied - t.Called), 99)),
            CommitP50Ms = Round(Percentile.OfMs(Spans(all, t => t.Committed - t.Called), 50)),
            ProofP50Ms = Round(Percentile.OfMs(Spans(all, t => t.Proven - t.Called), 50)),
            ServerKbPerRelease = Round((after.DatagramBytes - before.DatagramBytes + control) / options.Count / 1e3),
            ServerDatagramsPerRelease = Round((after.Datagrams - before.Datagrams) / options.Count),
            ServerCpuMsPerRelease = Round((after.CpuMs - before.CpuMs) / options.Count),
            ServerRssMb = Round(after.RssMb),
            ClientCpuMsPerRelease = Round(Clients(0) / options.Count),
            PublisherCpuMsPerRelease = Round(ownCpuMs / options.Count),
            Verifications = (long)Clients(1) + publisher.Verifications - verified,
            Lost = ((long)options.Clients * options.Count) - all.Sum(t => (long)t.Nodes),
        };
    }

    private static void Note(PublishTimes times, ulong release, long first, long last, int nodes)
    {
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
        }
    }

    /// <summary>Publishes on time, whether or not what was published before is through.</summary>
    private static async Task PublishAsync(RippleClient publisher, PublishTimes[] times, int start, int count, PushOptions options)
    {
        var publishes = new List<Task>(count);
        long begin = Stopwatch.GetTimestamp();
        for (int i = 0; i < count; i++)
        {
            TimeSpan wait = TimeSpan.FromSeconds(i / options.Rate) - Stopwatch.GetElapsedTime(begin);
            if (wait > TimeSpan.Zero)
            {
                await Task.Delay(wait);
            }

            publishes.Add(PublishOneAsync(publisher, times[start + i], start + i, options));
        }

        await Task.WhenAll(publishes);
    }

    private static async Task PublishOneAsync(RippleClient publisher, PublishTimes times, int number, PushOptions options)
    {
        (string key, byte[] value) = options.IsSdk ? (LoadValue.SettingsKey, LoadValue.MakeSettings(number, options.Bytes)) : (LoadValue.Key, LoadValue.Make(number, options.Bytes));
        var request = new PublishRequest { Set = new Dictionary<string, ReadOnlyMemory<byte>> { [key] = value } };
        times.Called = Stopwatch.GetTimestamp();
        PublishResult result = await publisher.PublishAsync(request);
        times.Committed = Stopwatch.GetTimestamp();
        lock (times)
        {
            if (times.Release != 0 && times.Release != result.Release)
            {
                throw new InvalidOperationException($"A publish became release {result.Release}, and nodes have it as {times.Release}.");
            }

            times.Release = result.Release;
        }

        WaitResult proof = await publisher.WaitAsync(result.Application, result.Release, "MIN($ALL.applied)", ProofTimeout);
        times.Proven = proof.Outcome == WaitOutcome.Held ? Stopwatch.GetTimestamp() : 0;
    }

    private static async Task SettleAsync(ReadOnlyMemory<PublishTimes> times, int clients)
    {
        for (long begin = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(begin) < SettleMax && !IsThrough(times.Span, clients);)
        {
            await Task.Delay(20);
        }
    }

    private static bool IsThrough(ReadOnlySpan<PublishTimes> times, int clients)
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

    private static void Explain(PublishTimes[] times, double catchUps, double skipped, double bad)
    {
        double Ms(Func<PublishTimes, long> span, double percent) => Round(Percentile.OfMs(Spans(times, span), percent));
        Console.WriteLine("profile p50/p99 ms"
            + $"  publish->commit {Ms(t => t.Committed - t.Called, 50)}/{Ms(t => t.Committed - t.Called, 99)}"
            + $"  publish->first {Ms(t => t.FirstApplied - t.Called, 50)}/{Ms(t => t.FirstApplied - t.Called, 99)}"
            + $"  first->last {Ms(t => t.LastApplied - t.FirstApplied, 50)}/{Ms(t => t.LastApplied - t.FirstApplied, 99)}"
            + $"  last->proof {Ms(t => t.Proven - t.LastApplied, 50)}/{Ms(t => t.Proven - t.LastApplied, 99)}");
        Console.WriteLine($"notes   catch-ups {catchUps}, skipped by watches {skipped}, wrong values {bad}, not proven {times.Count(t => t.Proven == 0)}");
    }

    private static IEnumerable<long> Spans(IEnumerable<PublishTimes> times, Func<PublishTimes, long> span) => times.Where(t => t.Nodes > 0 && t.Proven > 0).Select(span);

    private static double Round(double value) => Math.Round(value, 3);
}
