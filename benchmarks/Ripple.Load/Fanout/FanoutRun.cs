namespace Ripple.Load.Fanout;

/// <summary>
/// Measures one parameter set: both sides in turn, and at the end whether all that was sent is where it should be. Between its turns others
/// may have theirs.
/// </summary>
internal sealed class FanoutRun : IAsyncDisposable
{
    private const int RetriesMax = 10;
    private const int WarmUpsMax = 10;
    private const double SettledBytes = 64 * 1_024;
    private const double SoakSecondsMin = 180;
    private readonly FanoutPlan _plan;
    private readonly FanoutSession _session;
    private readonly RawPace _pace;
    private readonly MemoryWatch _watch;
    private readonly List<Period> _engine = [];
    private readonly List<(Period Period, double Loss, double PaceBytesS)> _raw = [];
    private readonly List<(double P50Us, double P99Us)> _latencies = [];
    private readonly List<(double P50Us, double P99Us)> _rawLatencies = [];
    private Losses _before;

    private FanoutRun(FanoutPlan plan, FanoutSession session)
    {
        _plan = plan;
        _session = session;
        _pace = new RawPace(session);
        _watch = new MemoryWatch(session);
    }

    private bool IsSoak => _plan.Options.Seconds >= SoakSecondsMin;

    /// <summary>Starts both sides, warms them up, and finds the raw side's pace.</summary>
    public static async Task<FanoutRun> StartAsync(FanoutPlan plan, string[] args)
    {
        FanoutSession session = await FanoutSession.StartAsync(plan, args);
        var run = new FanoutRun(plan, session);
        try
        {
            await WarmUpAsync(session);
            if (plan.Options.IsRawMeasured && plan.Options.Rate == 0)
            {
                await run._pace.SearchAsync();
            }

            // What went before is not measured: it waited for code to be compiled.
            await session.TakeLatenciesAsync(isRaw: false);
            await session.TakeRepairP99MsAsync();
            run._before = Losses.Of(session, await session.SampleReceiversAsync());
            return run;
        }
        catch
        {
            await session.DisposeAsync();
            throw;
        }
    }

    /// <summary>One turn of each side.</summary>
    public async Task TurnAsync(TimeSpan turn)
    {
        Task<Period> running = _session.RunEngineAsync(turn);
        if (IsSoak)
        {
            // Looking at the memory allocates some: only where it is asked for.
            await _watch.DuringAsync(running);
        }

        _engine.Add(await running);
        _latencies.Add(await _session.TakeLatenciesAsync(isRaw: false));
        if (_plan.Options.IsRawMeasured)
        {
            await RunRawAsync(turn);
        }
    }

    /// <summary>What all turns say together.</summary>
    public async Task<FanoutRow> EndAsync()
    {
        FanoutOptions options = _plan.Options;
        FanoutSession session = _session;
        Sample end = await session.SampleReceiversAsync();
        Sample senderEnd = session.SampleSender();
        FanoutReport.Explain(_engine, end);
        if (_raw.Count > 0)
        {
            FanoutReport.ExplainRaw(_raw);
        }

        long lost = (session.Messages * _plan.Receivers) - (long)end["messages"] + (long)end["bad"];
        double messages = _engine.Sum(p => p.Sent("sent"));
        double deliveries = Median.Of(_engine.Select(p => p.Received("messages") / p.Seconds));
        double? rawDeliveries = options.IsRawMeasured
            ? Median.Of(_raw.Select(r => r.Period.Received("raw_bytes") / options.Bytes / r.Period.Seconds))
            : null;
        bool hasLatencies = options.Rate > 0;
        Losses losses = Losses.Of(session, end).Since(_before);
        double allRepairs = losses.Repairs + losses.PeerRepairs;
        bool hasLosses = losses.OnPurpose > 0;
        double? repairP99Ms = hasLosses ? await session.TakeRepairP99MsAsync() : null;
        return new FanoutRow
        {
            Receivers = _plan.Receivers,
            Bytes = options.Bytes,
            Topics = _plan.Topics,
            Multicast = options.IsMulticast,
            Netns = options.IsNetns,
            Trains = options.AreTrainsUsed,
            Seal = options.IsSealed ? "aes-gcm" : "none",
            Rate = hasLatencies ? options.Rate : null,
            DeliveriesS = Math.Round(deliveries),
            BytesS = Math.Round(Median.Of(_engine.Select(p => p.Received("bytes") / p.Seconds))),
            RawDeliveriesS = rawDeliveries is { } r ? Math.Round(r) : null,
            RawBytesS = rawDeliveries is { } b ? Math.Round(b * options.Bytes) : null,
            RatioToRaw = rawDeliveries is { } d ? Round(deliveries / d) : null,
            RawLoss = _raw.Count > 0 ? Round(Median.Of(_raw.Select(r => r.Loss))) : null,
            RawPaceBytesS = _raw.Count > 0 && !hasLatencies ? Math.Round(Median.Of(_raw.Select(r => r.PaceBytesS))) : null,
            Lost = lost,
            OutOfOrder = (long)end["out_of_order"],
            BytesAllocatedPerMessage = Round(_engine.Sum(p => p.Both("core_allocated")) / messages),
            ProcessBytesAllocatedPerMessage = Round(_engine.Sum(p => p.Both("allocated")) / messages),
            GcTimeShare = Round(_engine.Max(p => Math.Max(p.Sent("pause_ms"), p.Received("pause_ms")) / 1e3 / p.Seconds)),
            CpuNsPerDelivery = Math.Round(Median.Of(_engine.Select(p => p.Both("cpu_ms") * 1e6 / p.Received("messages")))),
            RawCpuNsPerDelivery = _raw.Count > 0
                ? Math.Round(Median.Of(_raw.Select(r => r.Period.Both("cpu_ms") * 1e6 / (r.Period.Received("raw_bytes") / options.Bytes))))
                : null,
            P50Us = hasLatencies ? Round(Median.Of(_latencies.Select(l => l.P50Us))) : null,
            P99Us = hasLatencies ? Round(Median.Of(_latencies.Select(l => l.P99Us))) : null,
            RawP50Us = _rawLatencies.Count > 0 ? Round(Median.Of(_rawLatencies.Select(l => l.P50Us))) : null,
            RawP99Us = _rawLatencies.Count > 0 ? Round(Median.Of(_rawLatencies.Select(l => l.P99Us))) : null,
            ControlWaitMeanUs = Round(
                _engine.Sum(p => p.Both("control_wait_ns")) / Math.Max(1, _engine.Sum(p => p.Both("control_waits"))) / 1e3),
            ControlWaitMaxUs = Round(Math.Max(end["control_wait_max_ns"], senderEnd["control_wait_max_ns"]) / 1e3),
            Repairs = losses.Repairs,
            SenderRepairShare = hasLosses ? Round(losses.Repairs / allRepairs) : null,
            RepairsPerLoss = hasLosses ? Round(allRepairs / losses.OnPurpose) : null,
            SenderRepairsPerLoss = hasLosses ? Round((double)losses.Repairs / losses.OnPurpose) : null,
            RepairP99Ms = repairP99Ms is { } p99 ? Round(p99) : null,
            RssMb = Round(end["rss_mb"] + senderEnd["rss_mb"]),
            RssSecondMinuteMb = IsSoak ? Round(_watch.MeanMb(60, 120)) : null,
            RssLastMinuteMb = IsSoak ? Round(_watch.MeanMb(options.Seconds - 60, options.Seconds)) : null,
        };
    }

    public ValueTask DisposeAsync() => _session.DisposeAsync();

    private static double Round(double value) => Math.Round(value, 3);

    /// <summary>
    /// Runs until a second of it allocates next to nothing on the cores, or for long enough. Caches grow to their bound as packets come:
    /// what they hold is part of the printed sum, and no cost of a message. What a message costs does not stop, and is measured.
    /// </summary>
    private static async Task WarmUpAsync(FanoutSession session)
    {
        for (int i = 0; i < WarmUpsMax; i++)
        {
            Period period = await session.RunEngineAsync(TimeSpan.FromSeconds(1));
            if (period.Both("core_allocated") <= SettledBytes)
            {
                return;
            }
        }
    }

    /// <summary>One turn of the raw side that lost no more than it may: others are done again, slower.</summary>
    private async Task RunRawAsync(TimeSpan turn)
    {
        for (int tries = 1; ; tries++)
        {
            (Period Period, double Loss, double PaceBytesS) run = await _session.RunRawAsync(turn, _pace.BytesS);
            if (_plan.Options.Rate > 0)
            {
                _rawLatencies.Add(await _session.TakeLatenciesAsync(isRaw: true));
            }
            else
            {
                _pace.Learn(run.Loss, run.PaceBytesS);
            }

            if (run.Loss <= RawPace.LossMax || tries == RetriesMax)
            {
                _raw.Add(run);
                return;
            }
        }
    }

    /// <summary>What was lost and repaired so far.</summary>
    private readonly record struct Losses(long OnPurpose, long Repairs, double PeerRepairs)
    {
        public static Losses Of(FanoutSession session, Sample receivers) =>
            new(session.LostOnPurpose, session.Repairs, receivers["peer_repairs"]);

        public Losses Since(Losses before) =>
            new(OnPurpose - before.OnPurpose, Repairs - before.Repairs, PeerRepairs - before.PeerRepairs);
    }
}
