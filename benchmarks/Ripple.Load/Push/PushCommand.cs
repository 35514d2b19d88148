using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Ripple.Load.Peers;
using Ripple.Load.Processes;

namespace Ripple.Load.Push;

/// <summary>Starts a host and client processes, publishes, and puts together who had what when.</summary>
internal static class PushCommand
{
    private const int WarmUp = 20;
    private const int CompilingWindow = 2;
    private const int AfterRestart = 5;
    // As long as the runtime takes to see what is hot, and to compile that again in the background: a process that has run for a while is
    // what is measured.
    private static readonly TimeSpan CompilingTime = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan CompilingPause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan WindowWarmUp = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan SettleMax = TimeSpan.FromSeconds(30);

    public static async Task<int> RunAsync(string[] args)
    {
        (PeerFolder folder, args) = PeerFolder.Take(args);
        if (PushOptions.Parse(args, out string error) is not { } options)
        {
            await Console.Error.WriteLineAsync($"{error}\n{PushOptions.Usage}");
            return 2;
        }

        using PeerComparison? peers = await PeerComparison.MakeAsync(folder);
        await (peers?.MeasureAsync(options) ?? Task.CompletedTask);
        PushResult result = await MeasureAsync(options);
        await (peers?.MeasureAsync(options) ?? Task.CompletedTask);
        if (options.IsJson)
        {
            Console.WriteLine(peers?.AddTo(result) ?? JsonSerializer.Serialize(result));
        }

        return result.Lost == 0 ? 0 : 1;
    }

    private static async Task<PushResult> MeasureAsync(PushOptions options)
    {
        long begin = Stopwatch.GetTimestamp();
        await using var fleet = new Fleet();
        await fleet.StartAsync(options);
        // One more node: it publishes, and what is proven of all is proven of it too.
        RippleClient publisher = await RippleClient.ConnectAsync(
            await File.ReadAllTextAsync(fleet.PublisherConnection),
            new RippleClientOptions { Application = Fleet.Application, Name = "publisher", SnapshotMode = SnapshotMode.Off });
        double joinSeconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"joined  {options.Clients} nodes in {options.Processes} processes after {joinSeconds:F1} s"));
        await using (publisher)
        {
            return await MeasureAsync(fleet, publisher, options) with
            {
                JoinSeconds = Round(joinSeconds),
                BareCommitP50Ms = RoundOrNull(fleet.BareCommitP50Ms()),
            };
        }
    }

    private static async Task<PushResult> MeasureAsync(Fleet fleet, RippleClient client, PushOptions options)
    {
        var log = new PublishLog(options.Clients);
        ClientTally[] tallies = [.. fleet.Clients.Select(_ => new ClientTally())];
        Task[] reading = [.. fleet.Clients.Select((c, i) => Task.Run(() => tallies[i].ReadAsync(c, log.Note)))];
        var publisher = new PushPublisher(client, log, options);
        using (var compiled = new CancellationTokenSource(CompilingTime))
        {
            await publisher.InWindowAsync(CompilingWindow, compiled.Token);
        }

        await SettleAsync(log.Range(0, publisher.Begun), options.Clients);
        await Task.Delay(CompilingPause);
        int warmUp = publisher.Begun;
        await publisher.AtRateAsync(WarmUp);
        await SettleAsync(log.Range(warmUp, WarmUp), options.Clients);

        using var stopping = new CancellationTokenSource();
        Task publishing = Task.CompletedTask;
        if (options.Window > 0)
        {
            publishing = publisher.InWindowAsync(options.Window, stopping.Token);
            await Task.WhenAny(Task.Delay(WindowWarmUp), publishing);
        }

        await using Disturbance? disturbance = options.DisturbSeconds > 0 ? await Disturbance.PrepareAsync() : null;
        Task<(long Begin, long End)>? disturbed = null;
        int start = publisher.Begun;
        await fleet.AskClientsAsync("counters");
        await Task.WhenAll(tallies.Select(t => t.Before));
        Fleet.HostCost before = await fleet.HostCostAsync();
        double ownCpuMs = ProcessCost.CpuMs;
        long verified = client.Verifications;
        long begin = Stopwatch.GetTimestamp();
        if (options.Window > 0)
        {
            await Task.WhenAny(Task.Delay(TimeSpan.FromSeconds(options.Seconds)), publishing);
        }
        else
        {
            disturbed = disturbance is null ? null : DisturbAsync(disturbance, options);
            await publisher.AtRateAsync(options.Count);
            await SettleAsync(log.Range(start, options.Count), options.Clients);
        }

        int count = publisher.Begun - start;
        double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
        await fleet.AskClientsAsync("counters");
        Fleet.HostCost after = await fleet.HostCostAsync();
        ownCpuMs = ProcessCost.CpuMs - ownCpuMs;
        await Task.WhenAll(tallies.Select(t => t.After));
        await stopping.CancelAsync();
        await publishing;

        double[] restart = [];
        if (options.IsRestart)
        {
            await SettleAsync(log.Range(start, publisher.Begun - start), options.Clients);
            restart = await fleet.RestartHostAsync();
            Console.WriteLine($"restart all back after {restart[0]} s; {restart[4]} connections refused for being too many"
                + (options.IsProbed
                    ? $"; calls waited for the core {restart[1]} ms (p99), {restart[2]} ms at most, of which it worked {restart[3]} ms"
                    : string.Empty));
            await publisher.AtRateAsync(AfterRestart);
        }

        // What was begun behind the measured part counts as lost too, if it does not arrive.
        PublishTimes[] all = log.Range(start, publisher.Begun - start);
        await SettleAsync(all, options.Clients);
        await fleet.AskClientsAsync("rest");
        await Task.WhenAll(tallies.Select(t => t.Rest));
        PublishTimes[] measured = log.Range(start, count);
        Recovery? recovery = disturbed is null ? null : Recovery.Of(measured, (await disturbed).Begin, (await disturbed).End);
        return Sum(options, measured, all, tallies, before, after) with
        {
            LastP50MsBefore = RoundOrNull(recovery?.P50MsBefore),
            LastP50MsAfter = RoundOrNull(recovery?.P50MsAfter),
            RecoverySeconds = RoundOrNull(recovery?.Seconds),
            RecoveryMedianSeconds = RoundOrNull(recovery?.MedianSeconds),
            ReleasesPerSecond = Round(count / seconds),
            RejoinSeconds = options.IsRestart ? restart[0] : null,
            PublisherCpuMsPerRelease = Round(ownCpuMs / count),
            Verifications = (long)tallies.Sum(t => t.After.Result[1] - t.Before.Result[1]) + client.Verifications - verified,
        };
    }

    private static PushResult Sum(
        PushOptions options,
        PublishTimes[] measured,
        PublishTimes[] all,
        ClientTally[] tallies,
        Fleet.HostCost before,
        Fleet.HostCost after)
    {
        double Clients(int value) => tallies.Sum(t => t.After.Result[value] - t.Before.Result[value]);
        int count = measured.Length;
        double control = after.ControlBytes < 0 ? 0 : after.ControlBytes - before.ControlBytes;
        Explain(measured, after.CatchUps - before.CatchUps, Clients(2), Clients(3));
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"sent    udp {(after.DatagramBytes - before.DatagramBytes) / count / 1e3:F1} KB a release, tcp "
                + $"{(after.ControlBytes < 0 ? "not known" : $"{control / count / 1e3:F1} KB")}, beacons to all "
                + $"{(after.Beacons - before.Beacons) / count:F2}, repairs {(after.Repairs - before.Repairs) / count:F2}"));
        return new PushResult
        {
            IsSdk = options.IsSdk,
            IsMulticast = options.IsMulticast,
            Clients = options.Clients,
            Bytes = options.Bytes,
            Count = count,
            Rate = options.Window > 0 ? 0 : options.Rate,
            Window = options.Window,
            Processes = options.Processes,
            LastP50Ms = Round(Percentile.OfMs(Spans(measured, t => t.LastApplied - t.Called), 50)),
            LastP99Ms = Round(Percentile.OfMs(Spans(measured, t => t.LastApplied - t.Called), 99)),
            CatchUps = after.CatchUps - before.CatchUps,
            CommitP50Ms = Round(Percentile.OfMs(Spans(measured, t => t.Committed - t.Called), 50)),
            ProofP50Ms = options.Window > 0 ? null : Round(Percentile.OfMs(Proofs(measured, t => t.Called), 50)),
            ServerKbPerRelease = Round((after.DatagramBytes - before.DatagramBytes + control) / count / 1e3),
            ServerDatagramsPerRelease = Round((after.Datagrams - before.Datagrams) / count),
            ServerCpuMsPerRelease = Round((after.CpuMs - before.CpuMs) / count),
            ServerRssMb = Round(after.RssMb),
            ServerMemoryPlannedMb = Round(after.MemoryPlannedMb),
            ServerMemorySumMb = Round(after.MemorySumMb),
            Regions = after.Regions,
            ServerCoreWaitP99Ms = RoundOrNull(after.CoreWaitP99Ms),
            ServerCoreWaitMaxMs = RoundOrNull(after.CoreWaitMaxMs),
            ServerCoreBusyMaxMs = RoundOrNull(after.CoreBusyMaxMs),
            ServerKbPerConnection = Round((after.RssMb - after.RssAtStartMb) * 1e3 / options.Clients),
            ClientCpuMsPerRelease = Round(Clients(0) / count),
            ClientKbPerNode = Round(tallies.Sum(t => t.After.Result[4]) * 1e3 / options.Clients),
            DeliveriesPerSecond = Math.Round(
                tallies.Sum(
                    t => (t.After.Result[5] - t.Before.Result[5]) * Stopwatch.Frequency / (t.After.Result[6] - t.Before.Result[6]))),
            Lost = ((long)options.Clients * all.Length) - all.Sum(t => (long)t.Nodes),
        };
    }

    private static async Task<(long Begin, long End)> DisturbAsync(Disturbance disturbance, PushOptions options)
    {
        await Task.Delay(TimeSpan.FromSeconds(((options.Count / options.Rate) - options.DisturbSeconds) / 2));
        return await disturbance.RunAsync(options.DisturbSeconds);
    }

    private static async Task SettleAsync(PublishTimes[] times, int clients)
    {
        for (long begin = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(begin) < SettleMax && !IsThrough(times, clients);)
        {
            await Task.Delay(20);
        }
    }

    private static bool IsThrough(PublishTimes[] times, int clients)
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
        double Proof(double percent) => Round(Percentile.OfMs(Proofs(times, t => t.LastApplied), percent));
        Console.WriteLine("profile p50/p99 ms"
            + $"  publish->commit {Ms(t => t.Committed - t.Called, 50)}/{Ms(t => t.Committed - t.Called, 99)}"
            + $"  publish->first {Ms(t => t.FirstApplied - t.Called, 50)}/{Ms(t => t.FirstApplied - t.Called, 99)}"
            + $"  first->last {Ms(t => t.LastApplied - t.FirstApplied, 50)}/{Ms(t => t.LastApplied - t.FirstApplied, 99)}"
            + $"  last->proof {Proof(50)}/{Proof(99)}");
        Console.WriteLine(
            $"notes   catch-ups {catchUps}, skipped by watches {skipped}, wrong values {bad}, not proven "
                + $"{times.Count(t => t.Proven == 0)}");
    }

    private static IEnumerable<long> Spans(IEnumerable<PublishTimes> times, Func<PublishTimes, long> span) =>
        times.Where(t => t.Nodes > 0 && t.Committed > 0).Select(span);

    private static IEnumerable<long> Proofs(IEnumerable<PublishTimes> times, Func<PublishTimes, long> from) =>
        times.Where(t => t.Nodes > 0 && t.Proven > 0).Select(t => t.Proven - from(t));

    private static double Round(double value) => Math.Round(value, 3);

    private static double? RoundOrNull(double? value) => value is not { } number || double.IsNaN(number) ? null : Round(number);
}
