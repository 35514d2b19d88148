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
    public async Task AtRateAsync(int count)
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

            publishes.Add(OneAsync(Begun++, isProven: true));
        }

        await Task.WhenAll(publishes);
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

    private async Task OneAsync(int number, bool isProven)
    {
        (string key, byte[] value) = options.IsSdk
            ? (LoadValue.SettingsKey, LoadValue.MakeSettings(number, options.Bytes))
            : (LoadValue.Key, _edited?.Next(number) ?? LoadValue.Make(number, options.Bytes));
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

        if (isProven)
        {
            WaitResult proof = await client.WaitAsync(result.Application, result.Release, "MIN($ALL.applied)", ProofTimeout);
            times.Proven = proof.Outcome == WaitOutcome.Held ? Stopwatch.GetTimestamp() : 0;
        }
    }
}
