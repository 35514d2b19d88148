namespace Ripple.Gms.Endpoint;

/// <summary>
/// Lets so many run at a time, and so many of one source; further ones wait. Sources take turns, and those of one source go in the order of
/// their coming, so that a crowd of one source waits for itself. Any thread.
/// </summary>
/// <param name="runningMax">The most that run.</param>
/// <param name="perSourceMax">The most of one source that run.</param>
internal sealed class SourceTurns(int runningMax, int perSourceMax)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<SourceAddress, Source> _sources = [];
    private readonly LinkedList<Source> _waiting = [];
    private int _running;

    /// <summary>The highest number that ran at once so far.</summary>
    public int RunningMax { get; private set; }

    /// <summary>Sources that have something running or waiting.</summary>
    public int SourceCount
    {
        get
        {
            lock (_lock)
            {
                return _sources.Count;
            }
        }
    }

    /// <summary>Waits for a turn; whoever got one gives it back with <see cref="Leave"/>.</summary>
    /// <exception cref="OperationCanceledException">The wait was canceled; there is no turn.</exception>
    public async Task EnterAsync(SourceAddress address, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var waiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
        {
            if (!_sources.TryGetValue(address, out Source? source))
            {
                source = new Source(address);
                _sources.Add(address, source);
            }

            source.Waiting.AddLast(waiter);
            if (source.Waiting.Count == 1)
            {
                _waiting.AddLast(source);
            }

            Serve();
        }

        using CancellationTokenRegistration registration = cancellationToken.Register(() => Cancel(address, waiter, cancellationToken));
        await waiter.Task.ConfigureAwait(false);
    }

    /// <summary>Gives a turn back.</summary>
    public void Leave(SourceAddress address)
    {
        lock (_lock)
        {
            _running--;
            Source source = _sources[address];
            source.Running--;
            Forget(source);
            Serve();
        }
    }

    private void Cancel(SourceAddress address, TaskCompletionSource waiter, CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            if (!_sources.TryGetValue(address, out Source? source) || !source.Waiting.Remove(waiter))
            {
                // It has its turn.
                return;
            }

            if (source.Waiting.Count == 0)
            {
                _waiting.Remove(source);
            }

            Forget(source);
        }

        waiter.TrySetCanceled(cancellationToken);
    }

    private void Serve()
    {
        for (LinkedListNode<Source>? next = _waiting.First; next is not null && _running < runningMax;)
        {
            Source source = next.Value;
            if (source.Running >= perSourceMax)
            {
                next = next.Next;
                continue;
            }

            TaskCompletionSource waiter = source.Waiting.First!.Value;
            source.Waiting.RemoveFirst();
            source.Running++;
            RunningMax = Math.Max(RunningMax, ++_running);
            _waiting.Remove(next);
            if (source.Waiting.Count > 0)
            {
                _waiting.AddLast(source);
            }

            waiter.SetResult();
            next = _waiting.First;
        }
    }

    private void Forget(Source source)
    {
        if (source.Running == 0 && source.Waiting.Count == 0)
        {
            _sources.Remove(source.Address);
        }
    }

    private sealed class Source(SourceAddress address)
    {
        public SourceAddress Address { get; } = address;

        public LinkedList<TaskCompletionSource> Waiting { get; } = [];

        public int Running { get; set; }
    }
}
