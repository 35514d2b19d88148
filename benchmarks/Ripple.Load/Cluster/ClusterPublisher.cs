using System.Diagnostics;
using Ripple.Load.Push;

namespace Ripple.Load.Cluster;

/// <summary>
/// Publishes one after another until it is told to stop, through whatever happens, and keeps when each was answered and what with.
/// </summary>
/// <param name="client">The node that publishes.</param>
/// <param name="application">The application.</param>
/// <param name="isExpecting">Whether each publish names the release before it.</param>
internal sealed class ClusterPublisher(RippleClient client, string application, bool isExpecting)
{
    private const int Bytes = 256;
    private const int ProofEvery = 10;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan ProofTimeout = TimeSpan.FromMinutes(1);
    private readonly List<long> _answered = [];

    /// <summary>Publishes that were answered with a release.</summary>
    public int Count { get; private set; }

    /// <summary>Answers that cannot be: a conflict with itself, or a release that is not above the one before.</summary>
    public List<string> Wrong { get; } = [];

    /// <summary>Proofs that were waited for, and those that did not hold.</summary>
    public (int Asked, int NotHeld) Proofs { get; private set; }

    /// <summary>The newest release.</summary>
    public ulong Release { get; private set; }

    /// <summary>Publishes until cancelled; the publish that is under way is ended.</summary>
    public async Task RunAsync(CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            await PublishAsync();
            // Nobody takes the other application.
            if (!isExpecting && Count % ProofEvery == 0)
            {
                WaitResult proof = await client.WaitAsync(
                    application, Release, "MIN($ALL.applied)", ProofTimeout, cancellationToken: CancellationToken.None);
                Proofs = (Proofs.Asked + 1, Proofs.NotHeld + (proof.Outcome == WaitOutcome.Held ? 0 : 1));
            }

            await Task.Delay(Pause, CancellationToken.None);
        }
    }

    /// <summary>How long nobody answered around a moment: from the last answer before it to the first one after.</summary>
    public TimeSpan GapAt(long timestamp)
    {
        lock (_answered)
        {
            long before = _answered.LastOrDefault(t => t <= timestamp, timestamp);
            long after = _answered.FirstOrDefault(t => t > timestamp, long.MaxValue);
            return Stopwatch.GetElapsedTime(before, after);
        }
    }

    private async Task PublishAsync()
    {
        var request = new PublishRequest
        {
            Application = application,
            Set = new Dictionary<string, ReadOnlyMemory<byte>> { [LoadValue.Key] = LoadValue.Make(Count, Bytes) },
            ExpectedRelease = isExpecting ? Release : null,
        };
        try
        {
            PublishResult result = await client.PublishAsync(request);
            if (result.Release <= Release || (isExpecting && result.Release != Release + 1))
            {
                Wrong.Add($"release {result.Release} of '{application}' was answered after {Release}");
            }

            Release = result.Release;
            Count++;
            lock (_answered)
            {
                _answered.Add(Stopwatch.GetTimestamp());
            }
        }
        catch (RipplePublishException e)
        {
            Wrong.Add(e.Message);
        }
    }
}
