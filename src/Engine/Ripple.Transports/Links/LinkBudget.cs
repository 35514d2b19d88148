namespace Ripple.Transports.Links;

/// <summary>
/// A bound on what the buffers of all links of one side hold together in one direction, above the small first buffer that each has for
/// itself. Any thread.
/// </summary>
internal sealed class LinkBudget
{
    /// <summary>The least budget: a few of the largest buffers.</summary>
    public const long BytesMin = 4 * 1_024 * 1_024;

    private readonly Lock _gate = new();
    private readonly Queue<Action> _waiting = [];
    private long _bytes;

    /// <summary>Makes a budget of so many bytes.</summary>
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
            lock (_gate)
            {
                return _bytes;
            }
        }
    }

    /// <summary>
    /// Takes bytes; false when there is no room, and <paramref name="onRoom"/> is then called once, on a thread of the pool, when asking
    /// again is worth while. Null: nobody is told.
    /// </summary>
    internal bool TryTake(long bytes, Action? onRoom)
    {
        lock (_gate)
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
    /// <exception cref="OperationCanceledException">Cancelled before there was; nothing is taken.</exception>
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
    /// Gives bytes back. Those who were refused are told once a quarter is free: told one by one, the last buffer would go to and fro.
    /// </summary>
    internal void Return(long bytes)
    {
        lock (_gate)
        {
            _bytes -= bytes;
            while (_bytes <= BytesMax / 4 * 3 && _waiting.TryDequeue(out Action? onRoom))
            {
                // Not here: whoever gives back may hold a lock of its own.
                ThreadPool.UnsafeQueueUserWorkItem(static call => call(), onRoom, preferLocal: false);
            }
        }
    }
}
