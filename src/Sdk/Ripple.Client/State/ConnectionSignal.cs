using Ripple.Client.Scheduling;

namespace Ripple.Client.State;

/// <summary>
/// The state of a client's connection, and a way to wait for its next change. Written by the core thread, or by the runtime when it stops;
/// read by any thread.
/// </summary>
internal sealed class ConnectionSignal(IClientScheduler scheduler)
{
    private readonly Lock _lock = new();
    private Standing _standing = new(ConnectionState.Connecting, null, 0, 0, false, 0, new(scheduler.Completions));

    /// <summary>The current state.</summary>
    public Standing Now
    {
        get
        {
            lock (_lock)
            {
                return _standing;
            }
        }
    }

    /// <summary>A host admitted this client.</summary>
    public void Connected() => Change(
        s => s with { State = ConnectionState.Connected, Error = null, Failures = 0, Refusals = 0, Joins = s.Joins + 1 });

    /// <summary>Completes once a host has admitted this client more often than so many times.</summary>
    public async Task<long> WaitJoinedAsync(long joins, CancellationToken cancellationToken)
    {
        while (true)
        {
            Standing now = Now;
            if (now.Joins > joins)
            {
                return now.Joins;
            }

            await now.Changed.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
            await scheduler.ResumeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>The connection was lost, or an attempt to connect failed.</summary>
    public void Failed(string reason, bool isRefusal) => Change(s => s with
    {
        State = isRefusal ? ConnectionState.Refused : ConnectionState.Disconnected,
        Error = reason,
        Failures = s.Failures + 1,
        Refusals = s.Refusals + (isRefusal ? 1 : 0),
    });

    /// <summary>This client has received every release the hosts had when it joined.</summary>
    public void Synced() => Change(s => s with { IsSynced = true });

    /// <summary>A release was decided on: wakes those that wait for one to be in effect.</summary>
    public void Decided() => Change(s => s);

    /// <summary>Completes once this client is connected; immediately if it already is.</summary>
    /// <exception cref="RippleRefusedException">A host refused the client.</exception>
    public async Task WaitConnectedAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            Standing now = Now;
            switch (now.State)
            {
                case ConnectionState.Connected:
                    return;
                case ConnectionState.Refused:
                    throw Refused(now);
                default:
                    await now.Changed.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
                    await scheduler.ResumeAsync().ConfigureAwait(false);
                    break;
            }
        }
    }

    /// <summary>The exception for a refused client.</summary>
    public static RippleRefusedException Refused(Standing standing) => new(
        $"No host lets this client in: {standing.Error} "
        + "Check the token and the authority of the connection string, or ask an administrator for a new one.");

    private void Change(Func<Standing, Standing> change)
    {
        TaskCompletionSource changed;
        lock (_lock)
        {
            changed = _standing.Changed;
            _standing = change(_standing) with { Changed = new(scheduler.Completions) };
        }

        changed.TrySetResult();
    }

    /// <summary>The state at one moment. Immutable.</summary>
    /// <param name="State">The state.</param>
    /// <param name="Error">Why the client is not connected; null while it is, and before the first attempt ends.</param>
    /// <param name="Failures">The number of consecutive failed attempts.</param>
    /// <param name="Refusals">The number of those that were refusals.</param>
    /// <param name="IsSynced">Whether every release the hosts had at the first join has been received.</param>
    /// <param name="Joins">How often a host admitted this client.</param>
    /// <param name="Changed">Completes at the next change.</param>
    internal sealed record Standing(
        ConnectionState State, string? Error, int Failures, int Refusals, bool IsSynced, long Joins, TaskCompletionSource Changed);
}
