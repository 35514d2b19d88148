using Ripple.Engine.Core;

namespace Ripple.Transports.Running;

/// <summary>
/// Owns the thread of one core: runs turns while there is work, and otherwise sleeps in one system call until the next alarm, a request, or
/// a ready socket. Never spins. Build the core's objects before <see cref="Start"/>, or later through its request queue. Members may be
/// called from any thread.
/// </summary>
internal sealed class CoreRunner : IWaker, ICompletionQueue, IDisposable
{
    private const int Running = 0;
    private const int Sleeping = 1;
    private const int Notified = 2;

    private readonly CoreRunnerOptions _options;
    private readonly Thread _thread;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _state;
    private int _started;
    private volatile bool _isStopping;

    /// <param name="loop">The core; only this runner runs its turns from now on.</param>
    /// <param name="options">Null: the defaults.</param>
    /// <exception cref="PlatformNotSupportedException">Epoll was requested on a system other than Linux.</exception>
    public CoreRunner(CoreLoop loop, CoreRunnerOptions? options = null)
    {
        _options = options ?? new();
        Loop = loop;
        Waiter = WaiterChoice.Make(_options.Wait);
        _thread = new Thread(Run) { Name = _options.Name, IsBackground = true };
        loop.Requests.SetWaker(this);
    }

    /// <summary>The core. Its members say which thread may call them.</summary>
    public CoreLoop Loop { get; }

    /// <summary>True on the core thread, and on any thread before the start and after the end, when there is none.</summary>
    public bool IsOnCore =>
        Environment.CurrentManagedThreadId == _thread.ManagedThreadId || Volatile.Read(ref _started) == 0 || _ended.Task.IsCompleted;

    /// <summary>Completes when the core has run its last turn and the thread no longer uses it; never fails.</summary>
    public Task Ended => _ended.Task;

    /// <summary>
    /// The exception that escaped from the core and stopped it; null when there was none. Set only with
    /// <see cref="CoreRunnerOptions.OnFailed"/>.
    /// </summary>
    public Exception? Failure { get; private set; }

    internal IWaiter Waiter { get; }

    /// <summary>Starts the thread.</summary>
    /// <exception cref="InvalidOperationException">It was started or stopped before.</exception>
    public void Start()
    {
        if (Interlocked.Exchange(ref _started, 1) != 0)
        {
            throw new InvalidOperationException("A runner starts once; make another one for another core.");
        }

        _thread.Start();
    }

    /// <summary>
    /// Stops running turns. Waits for the current one, except on the core thread itself, where it is the last. Queued requests are not run.
    /// Does nothing when already stopped.
    /// </summary>
    public void Stop()
    {
        _isStopping = true;
        if (Interlocked.Exchange(ref _started, 1) == 0)
        {
            End();
            return;
        }

        Wake();
        if (Environment.CurrentManagedThreadId != _thread.ManagedThreadId)
        {
            // The thread may not have started yet: wait for the end of its work, not for the thread.
            _ended.Task.Wait();
        }
    }

    /// <summary>The same as <see cref="Stop"/>.</summary>
    public void Dispose() => Stop();

    /// <inheritdoc/>
    public void Wake()
    {
        // A full fence, whatever the state: either the core, which checks its requests after it has set the sleeping state, sees a request
        // posted before this call, or this call sees that it sleeps.
        if (Interlocked.CompareExchange(ref _state, Notified, Sleeping) == Sleeping)
        {
            Waiter.Wake();
        }
    }

    /// <summary>
    /// Runs a function on the core thread. Waits while the request queue is full. An exception it throws fails the task, not the core. Do
    /// not block on the task on the core thread.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The core ended before it ran the function.</exception>
    public async Task<T> RunAsync<T>(Func<T> function)
    {
        var request = new CoreFunction<T>(function);
        while (!Loop.Requests.TryPost(request))
        {
            await Task.Delay(1).ConfigureAwait(false);
            ThrowIfEnded();
        }

        await Task.WhenAny(request.Result, _ended.Task).ConfigureAwait(false);
        if (!request.Result.IsCompleted)
        {
            ThrowIfEnded();
        }

        return await request.Result.ConfigureAwait(false);
    }

    /// <summary>Runs an action on the core thread, as <see cref="RunAsync{T}(Func{T})"/> does a function.</summary>
    public Task RunAsync(Action action)
    {
        return RunAsync(() =>
        {
            action();
            return true;
        });
    }

    /// <inheritdoc/>
    /// <remarks>After the core has ended nothing runs, and this returns at once.</remarks>
    /// <exception cref="InvalidOperationException">Called on the core thread, which would wait for itself.</exception>
    public void Complete(Action action)
    {
        if (Environment.CurrentManagedThreadId == _thread.ManagedThreadId)
        {
            throw new InvalidOperationException("The core thread cannot wait for itself.");
        }

        var request = new ActionRequest(action);
        while (!Loop.Requests.TryPost(request) && !_ended.Task.IsCompleted)
        {
            Thread.Sleep(1);
        }
    }

    private void Run()
    {
        try
        {
            while (!_isStopping)
            {
                if (Loop.DoWork(_options.Clock.NowNs) == 0)
                {
                    Sleep();
                }
            }
        }
        catch (Exception e) when (_options.OnFailed is not null)
        {
            Failure = e;
            _isStopping = true;
            _options.OnFailed(e);
        }
        finally
        {
            End();
        }
    }

    private void Sleep()
    {
        Interlocked.Exchange(ref _state, Sleeping);
        // Requests are checked only now, after the state was set: see Wake.
        long dueNs = Loop.NextDueNs;
        if (!_isStopping)
        {
            long timeoutNs = dueNs == long.MaxValue ? long.MaxValue : dueNs - _options.Clock.NowNs;
            if (timeoutNs > 0)
            {
                Waiter.Wait(timeoutNs);
            }
        }

        Volatile.Write(ref _state, Running);
    }

    private void End()
    {
        Loop.Requests.SetWaker(null);
        Waiter.Dispose();
        _ended.TrySetResult();
    }

    private void ThrowIfEnded()
    {
        if (_ended.Task.IsCompleted)
        {
            throw new ObjectDisposedException(
                _options.Name, Failure is null ? "The core has stopped." : $"The core has stopped: {Failure.Message}");
        }
    }
}

/// <summary>How a runner runs its core.</summary>
internal sealed record CoreRunnerOptions
{
    /// <summary>The thread's name. Default "ripple core".</summary>
    public string Name { get; init; } = "ripple core";

    /// <summary>How the thread waits. Default <see cref="WaitKind.Auto"/>.</summary>
    public WaitKind Wait { get; init; }

    /// <summary>The core's clock. Default the machine's monotonic clock.</summary>
    public IClock Clock { get; init; } = MonotonicClock.Instance;

    /// <summary>
    /// Called once, on the core thread, when an exception has escaped from the core, which then runs no further turn. Null (the default):
    /// the exception stays unhandled and ends the process, because the core's state may be broken.
    /// </summary>
    public Action<Exception>? OnFailed { get; init; }
}

/// <summary>A function to run on the core thread; the caller awaits its result.</summary>
internal sealed class CoreFunction<T>(Func<T> function) : Request
{
    // The caller's continuation must not run on the core thread.
    private readonly TaskCompletionSource<T> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<T> Result => _result.Task;

    protected internal override void Execute()
    {
        try
        {
            _result.SetResult(function());
        }
        catch (Exception e)
        {
            _result.SetException(e);
        }
    }
}
