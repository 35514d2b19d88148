using System.Diagnostics.CodeAnalysis;
using Ripple.Client.Events;
using Ripple.Client.Running;
using Ripple.Client.Verification;

namespace Ripple.Client;

/// <summary>
/// One core thread with its ports, shared by any number of clients of a process. Clients that specify no runtime share one, created with
/// the first of them and disposed with the last. Thread-safe.
/// </summary>
public sealed class RippleRuntime : IAsyncDisposable
{
    private static readonly Lock SharedLock = new();
    private static RippleRuntime? _shared;
    private readonly Dictionary<SharedVerifier, SharedAuthority> _authorities = [];
    private readonly bool _isShared;
    private int _clients;
    private int _isDisposed;

    internal RippleRuntime(IRuntimeDriver driver, bool isShared = false)
    {
        Driver = driver;
        CoreDispatcher = new CoreDispatcher(driver);
        Pump = new DispatchPump(driver.Scheduler);
        _isShared = isShared;
    }

    internal IRuntimeDriver Driver { get; }

    internal CoreDispatcher CoreDispatcher { get; }

    /// <summary>Runs the dispatchers of this runtime's clients.</summary>
    internal DispatchPump Pump { get; }

    /// <summary>
    /// Creates a separate runtime. Pass it to clients in <see cref="RippleClientOptions.Runtime"/>, and dispose it after them.
    /// </summary>
    public static RippleRuntime Create(RippleRuntimeOptions? options = null) => new(SocketDriver.Start(options ?? new()));

    /// <summary>Stops the core thread. Clients still using it fail.</summary>
    public ValueTask DisposeAsync() => Interlocked.Exchange(ref _isDisposed, 1) == 0 ? Driver.DisposeAsync() : default;

    /// <summary>
    /// The state shared on this core by clients of one authority; adds a user. Release it with <see cref="Leave"/>. Core thread.
    /// </summary>
    internal SharedAuthority Join(SharedVerifier verifier)
    {
        if (!_authorities.TryGetValue(verifier, out SharedAuthority? authority))
        {
            authority = new SharedAuthority(verifier, CoreDispatcher);
            _authorities.Add(verifier, authority);
        }

        authority.Clients++;
        return authority;
    }

    /// <summary>Removes a user; the last one removes the shared state. Core thread.</summary>
    internal void Leave(SharedAuthority authority)
    {
        if (--authority.Clients == 0)
        {
            _authorities.Remove(authority.Verifier);
        }
    }

    /// <summary>
    /// The given runtime, or the process's shared one, to which it adds a user. Release it with <see cref="ReleaseAsync"/>.
    /// </summary>
    [SuppressMessage("Reliability", "CA2000", Justification = "The last client disposes of it.")]
    internal static RippleRuntime Acquire(RippleRuntime? given)
    {
        if (given is not null)
        {
            return given;
        }

        lock (SharedLock)
        {
            // A stopped core cannot be used again: the next client starts a new one.
            if (_shared is null || _shared.Driver.Stopped.IsCancellationRequested)
            {
                _shared = new RippleRuntime(SocketDriver.Start(new()), isShared: true);
            }

            _shared._clients++;
            return _shared;
        }
    }

    /// <summary>Removes a user; the process's shared runtime is disposed with the last one.</summary>
    internal ValueTask ReleaseAsync()
    {
        if (!_isShared)
        {
            return default;
        }

        lock (SharedLock)
        {
            if (--_clients > 0)
            {
                return default;
            }

            if (ReferenceEquals(_shared, this))
            {
                _shared = null;
            }
        }

        return DisposeAsync();
    }
}
