using System.Diagnostics;

namespace Ripple.Load.Push;

/// <summary>Publishes at a steady rate, or as fast as a window allows, and notes when each was called, committed and proven.</summary>
internal sealed class PushPublisher(RippleClient client, PublishLog log, PushOptions options)
{
    private static readonly TimeSpan ProofTimeout = TimeSpan.FromSeconds(30);
    private readonly EditedValue? _edited = options.EditLines > 0 ? new(options.Bytes, options.EditLines) : null;

    /// <summary>How many publishes were begun: the number of the next one.</summary>
    public int Begun { get; private set; }

    /// <summary>Publishes on time, whether or not what was published before is through.</summary>
    /// <param name="count">How often.</param>
    /// <param name="isProven">Whether the publisher waits for each until all nodes are known to have it.</param>
    public async Task AtRateAsync(int count, bool isProven = true)
    {
        double rate = options.Rate > 0 ? options.Rate : PushOptions.RateDefault;
        var publishes = new List<Task>(count);
        long begin = Stopwatch.GetTimestamp();
        for (int i = 0; i < count; i++)
        {
            await DueAsync(begin, i / rate, CancellationToken.None);
            publishes.Add(OneAsync(Begun++, isProven));
        }

        await Task.WhenAll(publishes);
    }

    /// <summary>Publishes on time until cancelled; returns when the last one is committed, or one failed.</summary>
    public async Task AtRateUntilAsync(double rate, CancellationToken cancellation)
    {
        var underWay = new HashSet<Task>();
        long begin = Stopwatch.GetTimestamp();
        for (int i = 0; !cancellation.IsCancellationRequested && !underWay.Any(t => t.IsFaulted); i++)
        {
            await DueAsync(begin, i / rate, cancellation).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            underWay.RemoveWhere(t => t.IsCompletedSuccessfully);
            underWay.Add(OneAsync(Begun++, isProven: false));
        }

        await Task.WhenAll(underWay);
    }

    /// <summary>Publishes the values of a key in order: each on time, and not before the one in front is committed.</summary>
    public async Task InOrderAsync(string key, IReadOnlyList<byte[]> values)
    {
        long begin = Stopwatch.GetTimestamp();
        for (int i = 0; i < values.Count; i++)
        {
            await DueAsync(begin, i / options.Rate, CancellationToken.None);
            await CommitAsync(Begun++, key, values[i]);
        }
    }

    /// <summary>
    /// Publishes whenever fewer than so many publishes are not in effect at all nodes, until cancelled; returns when the last one is
    /// committed.
    /// </summary>
    public async Task InWindowAsync(int publishesMax, CancellationToken cancellation)
    {
        // Not disposed of, for nobody asks for its wait handle: an arrival that saw OnComplete before it was taken away may still come.
        var window = new SemaphoreSlim(publishesMax, publishesMax);
        int failed = 0;
        var underWay = new HashSet<Task>();
        log.OnComplete = _ => window.Release();
        try
        {
            while (failed == 0)
            {
                await window.WaitAsync(cancellation);
                underWay.RemoveWhere(t => t.IsCompletedSuccessfully);
                failed = underWay.Count(t => t.IsFaulted);
                underWay.Add(OneAsync(Begun++, isProven: false));
            }
        }
        catch (OperationCanceledException)
        {
            // The time is up.
        }

        log.OnComplete = null;
        await Task.WhenAll(underWay);
    }

    private static async Task DueAsync(long begin, double seconds, CancellationToken cancellation)
    {
        TimeSpan wait = TimeSpan.FromSeconds(seconds) - Stopwatch.GetElapsedTime(begin);
        if (wait > TimeSpan.Zero)
        {
            await Task.Delay(wait, cancellation);
        }
    }

    private async Task OneAsync(int number, bool isProven)
    {
        (string key, byte[] value) = options.IsSdk
            ? (LoadValue.SettingsKey, LoadValue.MakeSettings(number, options.Bytes))
            : (LoadValue.Key, _edited?.Next(number) ?? LoadValue.Make(number, options.Bytes));
        PublishResult result = await CommitAsync(number, key, value);
        if (isProven)
        {
            WaitResult proof = await client.WaitAsync(result.Application, result.Release, "MIN($ALL.applied)", ProofTimeout);
            log[number].Proven = proof.Outcome == WaitOutcome.Held ? Stopwatch.GetTimestamp() : 0;
        }
    }

    private async Task<PublishResult> CommitAsync(int number, string key, byte[] value)
    {
        var request = new PublishRequest { Set = new Dictionary<string, ReadOnlyMemory<byte>> { [key] = value } };
        PublishTimes times = log[number];
        times.Called = Stopwatch.GetTimestamp();
        PublishResult result = await client.PublishAsync(request);
        times.Committed = Stopwatch.GetTimestamp();
        lock (times)
        {
            if (times.Release != 0 && times.Release != result.Release)
            {
                throw new InvalidOperationException($"A publish became release {result.Release}, and nodes have it as {times.Release}.");
            }

            times.Release = result.Release;
        }

        return result;
    }
}
