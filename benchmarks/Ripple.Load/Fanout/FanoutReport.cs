using System.Globalization;

namespace Ripple.Load.Fanout;

/// <summary>What people read: a line of counters for each row, and the row.</summary>
internal static class FanoutReport
{
    public static void ExplainRaw(IReadOnlyList<(Period Period, double Loss, double PaceBytesS)> raw)
    {
        double seconds = raw.Sum(r => r.Period.Seconds);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"raw      {Median.Of(raw.Select(r => r.PaceBytesS)) / 1e6:F0} MB/s to each; cpu sender "
            + $"{raw.Sum(r => r.Period.Sent("cpu_ms")) / seconds / 10:F0} %, "
            + $"receivers {raw.Sum(r => r.Period.Received("cpu_ms")) / seconds / 10:F0} %"));
    }

    public static void Explain(IReadOnlyList<Period> engine, Sample end)
    {
        double Sum(Func<Period, double> value) => engine.Sum(value);
        double seconds = Sum(p => p.Seconds);
        double packets = Sum(p => p.Sent("packets"));
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"engine   {Sum(p => p.Sent("sent")) / seconds:F0} messages/s in {packets / seconds:F0} packets/s, "
            + $"window full {Sum(p => p.Sent("full")) / seconds:F0}/s, "
            + $"would block {Sum(p => p.Sent("would_block")) / seconds:F0}/s, repairs {Sum(p => p.Sent("repairs")):F0}, "
            + $"beacons {Sum(p => p.Sent("beacons")) / seconds:F1}/s, "
            + $"rounds {Sum(p => p.Received("rounds")) / seconds:F0}/s, hops {Sum(p => p.Received("hops")) / seconds:F0}/s"));
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"         cpu sender {Sum(p => p.Sent("cpu_ms")) / seconds / 10:F0} %, receivers "
            + $"{Sum(p => p.Received("cpu_ms")) / seconds / 10:F0} %; "
            + $"control waits {Sum(p => p.Both("control_wait_ns")) / Math.Max(1, Sum(p => p.Both("control_waits"))) / 1e3:F1} us; "
            + $"allocated on the cores {Sum(p => p.Sent("core_allocated")):F0} and {Sum(p => p.Received("core_allocated")):F0} B; "
            + $"naks {end["naks"]:F0} ({end["repeats"]:F0} repeats), duplicates {end["duplicates"]:F0}, no room {end["no_room"]:F0}, "
            + $"beyond the window {end["beyond"]:F0}, "
            + $"skipped {end["skipped"]:F0}, refused {end["refused"]:F0}, bad {end["bad"]:F0}, raw bad {end["raw_bad"]:F0}"));
    }

    public static void Show(FanoutRow row)
    {
        string raw = row.RawDeliveriesS is { } deliveries
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"; raw {deliveries:N0} at {row.RawLoss:P2} loss, ratio {row.RatioToRaw:F2}, cpu {row.RawCpuNsPerDelivery:F0} ns")
            : string.Empty;
        string latency = row.P50Us is { } p50
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"; one way p50 {p50:F0} us, p99 {row.P99Us:F0} us, raw {row.RawP50Us:F0} and {row.RawP99Us:F0} us")
            : string.Empty;
        string memory = row.RssSecondMinuteMb is { } second
            ? string.Create(
                CultureInfo.InvariantCulture, $"; resident {second:F1} MB in the second minute, {row.RssLastMinuteMb:F1} MB in the last")
            : string.Empty;
        string topics = row.TopicsRatio is { } ratio
            ? string.Create(CultureInfo.InvariantCulture, $", {ratio:F2} with {row.Topics} topics")
            : string.Empty;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{row.Receivers,5} x {row.Bytes,9:N0} B  {row.DeliveriesS:N0} deliveries/s{topics}, {row.BytesS / 1e6:N0} MB/s, "
            + $"cpu {row.CpuNsPerDelivery:F0} ns{raw}{latency}; "
            + $"lost {row.Lost}, out of order {row.OutOfOrder}; {row.BytesAllocatedPerMessage:F3} B a message on the cores, "
            + $"{row.ProcessBytesAllocatedPerMessage:F3} in all, gc {row.GcTimeShare:P1}{memory}"));
    }
}
