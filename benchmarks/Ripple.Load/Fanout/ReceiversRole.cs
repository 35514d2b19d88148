using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;
using Ripple.Load.Fanout.EngineSide;
using Ripple.Load.Fanout.Net;
using Ripple.Load.Fanout.Raw;
using Ripple.Load.Processes;

namespace Ripple.Load.Fanout;

/// <summary>The process with all receivers, of both sides. Says where they are, then what they have when it is asked.</summary>
internal static class ReceiversRole
{
    /// <summary>
    /// The arguments, for <see cref="Roles.FanoutReceivers"/>: the plan, where the sender's control port is, and the options as they were
    /// given.
    /// </summary>
    public static string[] ArgumentsOf(FanoutPlan plan, NodeAddress sender, string[] options) =>
    [
        Roles.FanoutReceivers,
        plan.Receivers.ToString(CultureInfo.InvariantCulture),
        plan.Topics.ToString(CultureInfo.InvariantCulture),
        plan.Index.ToString(CultureInfo.InvariantCulture),
        plan.LabId.ToString(CultureInfo.InvariantCulture),
        plan.Key is null ? "none" : Convert.ToHexString(plan.Key),
        sender.ToString(),
        .. options,
    ];

    public static async Task<int> RunAsync(string[] args)
    {
        FanoutOptions options = FanoutOptions.Parse(args.AsSpan(6), out string error) ?? throw new ArgumentException(error, nameof(args));
        int Number(int index) => int.Parse(args[index], CultureInfo.InvariantCulture);
        int count = Number(0);
        var plan = new FanoutPlan(
            options, count, Number(1), Number(2), Number(3), args[4] == "none" ? null : Convert.FromHexString(args[4]));
        // Without an await before this: namespaces are entered by the thread.
        Socket[] sockets = options.IsRawMeasured
            ? [.. Enumerable.Range(1, count).Select(i => LabSocket.OpenReceiver(
                plan.NamespaceOf(i), plan.AddressOf(i), plan.RawGroup, options.AreTrainsUsed, options.Rate > 0))]
            : [];
        var raw = new RawReceivers(sockets, plan.Key, options.Rate > 0);
        using var engine = new EngineReceivers(plan, NodeAddress.From(IPEndPoint.Parse(args[5])));
        Console.WriteLine(
            $"ready {Join(sockets.Select(s => s.LocalEndPoint!))} {Join(engine.DataAddresses)} {Join(engine.ControlAddresses)}");
        // Not awaited: that would be counted as allocated by what is measured.
        while (Console.In.ReadLine() is { } line)
        {
            ProcessSample.Begin();
            Console.WriteLine(line switch
            {
                "latencies" => "latencies " + Describe(await engine.TakeLatenciesAsync()),
                "repairs" => "repairs " + Describe(await engine.TakeRepairsAsync()),
                "raw-latencies" => "raw-latencies " + Describe(raw.TakeLatencies()),
                _ => Sample(engine, raw),
            });
            ProcessSample.End();
        }

        return 0;
    }

    private static string Join<T>(IEnumerable<T> addresses) => "/" + string.Join('/', addresses);

    private static string Describe(LatencyHistogram latencies) =>
        $"{ProcessCost.Text(latencies.PercentileUs(50))} {ProcessCost.Text(latencies.PercentileUs(99))}";

    private static string Sample(EngineReceivers engine, RawReceivers raw)
    {
        // First what is divided by the time, at the time.
        long at = Stopwatch.GetTimestamp();
        long messages = engine.Sum(t => t.Messages);
        long bytes = engine.Sum(t => t.Bytes);
        long rawBytes = raw.Bytes;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"sample at={at} messages={messages} bytes={bytes} raw_bytes={rawBytes} raw_packets={raw.Packets} raw_bad={raw.Bad} "
            + $"out_of_order={engine.Sum(t => t.OutOfOrder)} bad={engine.Sum(t => t.Bad)} refused={engine.Sum(t => t.Refused)} "
            + $"skipped={engine.Sum(t => t.Skipped)} "
            + $"naks={engine.SumEngine(r => r.Counters.Naks)} peer_naks={engine.SumEngine(r => r.Counters.PeerNaks)} "
            + $"peer_repairs={engine.SumEngine(r => r.CachingCounters.Repairs)} repeats={engine.SumEngine(r => r.Counters.NakRepeats)} "
            + $"duplicates={engine.SumEngine(r => r.Counters.Duplicates)} "
            + $"no_room={engine.SumEngine(r => r.Counters.NoRoom)} beyond={engine.SumEngine(r => r.Counters.OutOfWindow)} "
            + $"packets={engine.SumEngine(r => r.Counters.Packets)} "
            + $"hops={engine.SumEngine(r => r.RingCounters.Hops)} rounds={engine.SumEngine(r => r.RingCounters.Rounds)} "
            + $"{ProcessSample.Text(engine.CoreAllocatedBytes, engine.CoreCounters)}");
    }
}
