using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Ripple.Load.Peers;
using Ripple.Load.Processes;
using Ripple.Load.Push.Deafness;
using Ripple.Load.Push.Histories;
using Ripple.Load.Push.Stalls;

namespace Ripple.Load.Push;

/// <summary>Starts a host and client processes, publishes, and puts together who had what when.</summary>
internal static class PushCommand
{
    private const int AfterRestart = 5;
    private static readonly JsonSerializerOptions OneLine = new();
    private static readonly JsonSerializerOptions ForPeople = new() { WriteIndented = true };
    private static readonly TimeSpan WindowWarmUp = TimeSpan.FromSeconds(1.5);

    public static async Task<int> RunAsync(string[] args)
    {
        PeerFolder folder = PeerFolder.Find(args);
        if (PushOptions.Parse(args, out string error) is not { } options)
        {
            await Console.Error.WriteLineAsync($"{error}\n{PushOptions.Usage}");
            return 2;
        }

        if (options.History is { } file)
        {
            if (DocumentHistory.TryRead(file, options.Count, out error) is not { } history)
            {
                await Console.Error.WriteLineAsync(error);
                return 2;
            }

            HistoryResult versions = await HistoryRun.MeasureAsync(options, history);
            return Tell(options, versions, versions.Lost == 0 && versions.Mismatches == 0);
        }

        if (options.StallMs > 0)
        {
            StallResult stalled = await StallRun.MeasureAsync(options);
            return Tell(options, stalled, stalled.Lost == 0);
        }

        if (options.IsDeaf)
        {
            DeafResult deaf = await DeafRun.MeasureAsync(options);
            return Tell(options, deaf, deaf.Lost == 0 && deaf.LeafSeconds is not null);
        }

        using PeerComparison? peers = options.IsWithoutPeers ? null : await PeerComparison.MakeAsync(folder);
        await (peers?.MeasureAsync(options) ?? Task.CompletedTask);
        PushResult result = await MeasureAsync(options);
        await (peers?.MeasureAsync(options) ?? Task.CompletedTask);
        if (options.IsJson)
        {
            Console.WriteLine(peers?.AddTo(result) ?? JsonSerializer.Serialize(result));
        }

        return result.Lost == 0 ? 0 : 1;
    }

    private static int Tell<T>(PushOptions options, T result, bool isSound)
    {
        Console.WriteLine(JsonSerializer.Serialize(result, options.IsJson ? OneLine : ForPeople));
        return isSound ? 0 : 1;
    }

    private static async Task<PushResult> MeasureAsync(PushOptions options)
    {
        await using PushSession session = await PushSession.StartAsync(options);
        await session.WarmUpAsync();
        BesideRun? beside = session.Beside is null ? null : await BesideRun.AloneAsync(session.Beside, options);
        PushResult result = await MeasureAsync(session, options, beside) with
        {
            JoinSeconds = Round(session.JoinSeconds),
            BareCommitP50Ms = RoundOrNull(session.Fleet.BareCommitP50Ms()),
        };
        if (beside is null)
        {
            return result;
        }

        (double aloneP99Ms, double p50Ms, double p99Ms) = beside.Times();
        return result with
        {
            BesideBytes = options.BesideBytes,
            BesideAloneP99Ms = Round(aloneP99Ms),
            BesideP50Ms = Round(p50Ms),
            BesideP99Ms = Round(p99Ms),
            BesideRatio = Round(p99Ms / aloneP99Ms),
            Lost = result.Lost + beside.Lost,
        };
    }

    private static async Task<PushResult> MeasureAsync(PushSession session, PushOptions options, BesideRun? beside)
    {
        (Fleet fleet, ApplicationLoad load) = (session.Fleet, session.Main);
        PushPublisher publisher = load.Publisher;
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
        ClientSample[] clientsBefore = await session.SampleAsync();
        Fleet.HostCost before = await fleet.HostCostAsync();
        double ownCpuMs = ProcessCost.CpuMs;
        long verified = load.Client.Verifications;
        long begin = Stopwatch.GetTimestamp();
        if (options.Window > 0)
        {
            await Task.WhenAny(Task.Delay(TimeSpan.FromSeconds(options.Seconds)), publishing);
        }
        else
        {
            disturbed = disturbance is null ? null : DisturbAsync(disturbance, options);
            await Task.WhenAll(publisher.AtRateAsync(options.Count), beside?.OnceAsync() ?? Task.CompletedTask);
            await load.SettleAsync(start, options.Count);
        }

        int count = publisher.Begun - start;
        double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
        ClientSample[] clientsAfter = await session.SampleAsync();
        Fleet.HostCost after = await fleet.HostCostAsync();
        ownCpuMs = ProcessCost.CpuMs - ownCpuMs;
        await stopping.CancelAsync();
        await publishing;

        double[] restart = [];
        if (options.IsRestart)
        {
            await load.SettleAsync(start, publisher.Begun - start);
            restart = await fleet.RestartHostAsync();
            Console.WriteLine($"restart all back after {restart[0]} s; {restart[4]} connections refused for being too many"
                + (options.IsProbed
                    ? $"; calls waited for the core {restart[1]} ms (p99), {restart[2]} ms at most, of which it worked {restart[3]} ms"
                    : string.Empty));
            await publisher.AtRateAsync(AfterRestart);
        }

        // What was begun behind the measured part counts as lost too, if it does not arrive.
        await load.SettleAsync(start, publisher.Begun - start);
        await session.SampleAsync(ClientSample.Rest);
        PublishTimes[] measured = load.Log.Range(start, count);
        Recovery? recovery = disturbed is null ? null : Recovery.Of(measured, (await disturbed).Begin, (await disturbed).End);
        return Sum(options, measured, clientsBefore, clientsAfter, before, after) with
        {
            LastP50MsBefore = RoundOrNull(recovery?.P50MsBefore),
            LastP50MsAfter = RoundOrNull(recovery?.P50MsAfter),
            RecoverySeconds = RoundOrNull(recovery?.Seconds),
            RecoveryMedianSeconds = RoundOrNull(recovery?.MedianSeconds),
            ReleasesPerSecond = Round(count / seconds),
            RejoinSeconds = options.IsRestart ? restart[0] : null,
            PublisherCpuMsPerRelease = Round(ownCpuMs / count),
            Verifications = clientsAfter.Sum(c => c.Verifications) - clientsBefore.Sum(c => c.Verifications)
                + load.Client.Verifications - verified,
            Lost = load.LostFrom(start),
        };
    }

    private static PushResult Sum(
        PushOptions options,
        PublishTimes[] measured,
        ClientSample[] clientsBefore,
        ClientSample[] clientsAfter,
        Fleet.HostCost before,
        Fleet.HostCost after)
    {
        double Clients(Func<ClientSample, double> value) => clientsAfter.Sum(value) - clientsBefore.Sum(value);
        int count = measured.Length;
        double control = after.ControlBytes < 0 ? 0 : after.ControlBytes - before.ControlBytes;
        Explain(measured, after.CatchUps - before.CatchUps, Clients(c => c.Skipped), Clients(c => c.Bad));
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
            LastP50Ms = Round(PublishTimes.ToLastMs(measured, 50)),
            LastP99Ms = Round(PublishTimes.ToLastMs(measured, 99)),
            CatchUps = after.CatchUps - before.CatchUps,
            CommitP50Ms = Round(Percentile.OfMs(Spans(measured, t => t.Committed - t.Called), 50)),
            ProofP50Ms = options.Window > 0 ? null : RoundOrNull(Percentile.OfMs(Proofs(measured, t => t.Called), 50)),
            ServerKbPerRelease = Round((after.DatagramBytes - before.DatagramBytes + control) / count / 1e3),
            ServerTcpKbPerRelease = after.ControlBytes < 0 ? null : Round(control / count / 1e3),
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
            ClientCpuMsPerRelease = Round(Clients(c => c.CpuMs) / count),
            ClientKbPerNode = Round(clientsAfter.Sum(c => c.RssMb) * 1e3 / options.Clients),
            DeliveriesPerSecond = Math.Round(clientsBefore.Zip(
                clientsAfter, (b, a) => (a.Arrivals - b.Arrivals) * (double)Stopwatch.Frequency / (a.AtTicks - b.AtTicks)).Sum()),
        };
    }

    private static async Task<(long Begin, long End)> DisturbAsync(Disturbance disturbance, PushOptions options)
    {
        await Task.Delay(TimeSpan.FromSeconds(((options.Count / options.Rate) - options.DisturbSeconds) / 2));
        return await disturbance.RunAsync(options.DisturbSeconds);
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
