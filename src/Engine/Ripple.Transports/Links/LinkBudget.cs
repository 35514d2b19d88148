namespace Ripple.Transports.Links;

/// <summary>
/// A bound on the total buffer memory of all links of one side in one direction, beyond the small first buffer of each link. Any thread.
/// </summary>
internal sealed class LinkBudget
{
    /// <summary>The smallest budget: a few of the largest buffers.</summary>
    public const long BytesMin = 4 * 1_024 * 1_024;

    private readonly Lock _lock = new();
    private readonly Queue<Action> _waiting = [];
    private long _bytes;

    /// <summary>Makes a budget of the given size.</summary>
    public LinkBudget(long bytesMax)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bytesMax, BytesMin);
        BytesMax = bytesMax;
    }

    /// <summary>The bound.</summary>
    public long BytesMax { get; }

    /// <summary>The bytes taken now.</summary>
    public long Bytes
    {
        get
        {
            lock (_lock)
            {
                return _bytes;
            }
        }
    }

    /// <summary>
    /// Takes bytes; false when there is no room. <paramref name="onRoom"/>, unless it is null, is then called once, on a thread pool
    /// thread, when it is worthwhile to try again.
    /// </summary>
    internal bool TryTake(long bytes, Action? onRoom)
    {
        lock (_lock)
        {
            if (_bytes + bytes <= BytesMax)
            {
                _bytes += bytes;
                return true;
            }

            if (onRoom is not null)
            {
                _waiting.Enqueue(onRoom);
            }

            return false;
        }
    }

    /// <summary>Takes bytes as soon as there is room.</summary>
    /// <exception cref="OperationCanceledException">Cancelled before there was room; nothing is taken.</exception>
    internal async ValueTask TakeAsync(long bytes, CancellationToken cancellationToken)
    {
        while (true)
        {
            var room = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            if (TryTake(bytes, room.SetResult))
            {
                return;
            }

            await room.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Returns bytes. Refused callers are notified once a quarter of the budget is free: notified one by one, they would pass the last
    /// buffer back and forth.
    /// </summary>
    internal void Return(long bytes)
    {
        lock (_lock)
        {
            _bytes -= bytes;
            while (_bytes <= BytesMax / 4 * 3 && _waiting.TryDequeue(out Action? onRoom))
            {
                // Not called here: the caller that returns bytes may hold a lock of its own.
                ThreadPool.UnsafeQueueUserWorkItem(static call => call(), onRoom, preferLocal: false);
            }
        }
    }
}
