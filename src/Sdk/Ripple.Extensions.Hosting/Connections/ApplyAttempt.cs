using Ripple.Client;
using Ripple.Client.Scheduling;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>One release being applied to the configuration. Decided exactly once, by its own run or by the time limit.</summary>
internal sealed class ApplyAttempt(RippleRelease release, IClientScheduler scheduler)
{
    private readonly TaskCompletionSource<ReleaseDecision> _decided = new(scheduler.Completions);
    private int _isClosed;

    public RippleRelease Release { get; } = release;

    public long StartedAt { get; } = scheduler.Clock.GetTimestamp();

    /// <summary>Whether it has been decided.</summary>
    public bool IsClosed => Volatile.Read(ref _isClosed) != 0;

    public Task<ReleaseDecision> Decided => _decided.Task;

    /// <summary>Accepts the release if it is still undecided. On true, the caller must swap it in.</summary>
    public bool TryCommit()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) != 0)
        {
            return false;
        }

        _decided.SetResult(ReleaseDecision.Accept);
        return true;
    }

    /// <summary>Closes the attempt if it is still undecided. On true, the release is never swapped in.</summary>
    public bool TryAbandon() => Interlocked.Exchange(ref _isClosed, 1) == 0;

    public void Decide(ReleaseDecision decision)
    {
        if (TryAbandon())
        {
            _decided.SetResult(decision);
        }
    }
}
