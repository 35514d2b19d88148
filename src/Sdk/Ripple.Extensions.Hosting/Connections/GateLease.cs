using Ripple.Client.Scheduling;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>
/// Acquires several semaphores in order under one deadline, asynchronously, and releases all of them on <see cref="Dispose"/>. Used by one
/// caller at a time; may be disposed on a different thread than it was created on.
/// </summary>
internal sealed class GateLease(TimeSpan limit, IClientScheduler scheduler) : IDisposable
{
    private readonly long _begin = scheduler.Clock.GetTimestamp();
    private readonly Stack<SemaphoreSlim> _held = [];

    /// <summary>The time left until the limit; never negative.</summary>
    public TimeSpan Left => limit - scheduler.Clock.GetElapsedTime(_begin) is { Ticks: > 0 } left ? left : TimeSpan.Zero;

    /// <summary>Enters a gate. Returns false if the limit, shared by all gates, passes first.</summary>
    /// <exception cref="OperationCanceledException">Canceled before the gate was entered.</exception>
    public async Task<bool> TryEnterAsync(SemaphoreSlim gate, CancellationToken cancellationToken)
    {
        bool isEntered = await scheduler.EnterAsync(gate, Left, cancellationToken).ConfigureAwait(false);
        if (isEntered)
        {
            _held.Push(gate);
        }

        return isEntered;
    }

    /// <summary>Releases all gates held.</summary>
    public void Dispose()
    {
        while (_held.TryPop(out SemaphoreSlim? gate))
        {
            gate.Release();
        }
    }
}
