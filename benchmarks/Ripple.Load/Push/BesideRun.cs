namespace Ripple.Load.Push;

/// <summary>
/// Another application of the same host and the same nodes: released at a rate of its own, once alone, and once while the application that
/// is measured is.
/// </summary>
internal sealed class BesideRun
{
    private const double ReleasesPerSecond = 20;
    private const int WarmUp = 20;
    private readonly ApplicationLoad _load;
    private readonly int _count;
    private readonly int _alone;

    private BesideRun(ApplicationLoad load, int count)
    {
        _load = load;
        _count = count;
        _alone = load.Publisher.Begun;
    }

    /// <summary>Releases of each of both parts that did not come to a node, or with wrong content.</summary>
    public long Lost => _load.LostFrom(_alone);

    /// <summary>What it publishes where the other one publishes by these options.</summary>
    public static PushOptions OptionsOf(PushOptions options) =>
        new() { Clients = options.Clients, Bytes = options.BesideBytes, Rate = ReleasesPerSecond };

    /// <summary>Releases it alone, as many times as it will be beside the other, and measures that.</summary>
    public static async Task<BesideRun> AloneAsync(ApplicationLoad load, PushOptions options)
    {
        await load.Publisher.AtRateAsync(WarmUp);
        await load.SettleAsync(0, WarmUp);
        var run = new BesideRun(load, Math.Max(1, (int)(options.Count / options.Rate * ReleasesPerSecond)));
        await run.OnceAsync();
        return run;
    }

    /// <summary>Releases it once more, while the caller publishes the other.</summary>
    public async Task OnceAsync()
    {
        int start = _load.Publisher.Begun;
        await _load.Publisher.AtRateAsync(_count, isProven: false);
        await _load.SettleAsync(start, _count);
    }

    /// <summary>From the publish to the last node: alone, and beside the other.</summary>
    public (double AloneP99Ms, double P50Ms, double P99Ms) Times()
    {
        PublishTimes[] alone = _load.Log.Range(_alone, _count);
        PublishTimes[] beside = _load.Log.Range(_alone + _count, _count);
        return (PublishTimes.ToLastMs(alone, 99), PublishTimes.ToLastMs(beside, 50), PublishTimes.ToLastMs(beside, 99));
    }
}
