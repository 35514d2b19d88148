using System.Diagnostics;
using Ripple.Client;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>One release on its way into the configuration: decided once, by its run or by the limit of time.</summary>
internal sealed class ApplyAttempt(RippleRelease release)
{
    private readonly TaskCompletionSource<ReleaseDecision> _decided = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _isClosed;

    public RippleRelease Release { get; } = release;

    public long StartedAt { get; } = Stopwatch.GetTimestamp();

    /// <summary>True once it is decided.</summary>
    public bool IsClosed => Volatile.Read(ref _isClosed) != 0;

    public Task<ReleaseDecision> Decided => _decided.Task;

    /// <summary>True when nobody decided yet; then it is accepted and must be swapped in.</summary>
    public bool TryCommit()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) != 0)
        {
            return false;
        }

        _decided.SetResult(ReleaseDecision.Accept);
        return true;
    }

    /// <summary>True when nobody decided yet; then it is never swapped in.</summary>
    public bool TryAbandon() => Interlocked.Exchange(ref _isClosed, 1) == 0;

    public void Decide(ReleaseDecision decision)
    {
        if (TryAbandon())
        {
            _decided.SetResult(decision);
        }
    }
}
