using System.Diagnostics;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>
/// Acquires several semaphores in order under one deadline, asynchronously, and releases all of them on <see cref="Dispose"/>. Used by one
/// caller at a time; may be disposed of on another thread than it was made on.
/// </summary>
internal sealed class GateLease(TimeSpan limit) : IDisposable
{
    private readonly long _begin = Stopwatch.GetTimestamp();
    private readonly Stack<SemaphoreSlim> _held = [];

    /// <summary>What is left of the limit; never below zero.</summary>
    public TimeSpan Left => limit - Stopwatch.GetElapsedTime(_begin) is { Ticks: > 0 } left ? left : TimeSpan.Zero;

    /// <summary>False when the limit, which is that of all gates together, is over before.</summary>
    /// <exception cref="OperationCanceledException">It was cancelled before.</exception>
    public async Task<bool> TryEnterAsync(SemaphoreSlim gate, CancellationToken cancellationToken)
    {
        bool isEntered = await gate.WaitAsync(Left, cancellationToken).ConfigureAwait(false);
        if (isEntered)
        {
            _held.Push(gate);
        }

        return isEntered;
    }

    /// <summary>Leaves all.</summary>
    public void Dispose()
    {
        while (_held.TryPop(out SemaphoreSlim? gate))
        {
            gate.Release();
        }
    }
}
