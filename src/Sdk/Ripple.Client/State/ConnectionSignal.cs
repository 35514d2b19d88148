namespace Ripple.Client.State;

/// <summary>
/// The state of a client's connection, and a way to wait for its next change. The core thread writes it, or the runtime's end; any thread
/// reads it.
/// </summary>
internal sealed class ConnectionSignal
{
    private readonly Lock _lock = new();
    private Standing _standing = new(ConnectionState.Connecting, null, 0, 0, false, NewSignal());

    /// <summary>The present state.</summary>
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

    /// <summary>A host let this client in.</summary>
    public void Connected() => Change(s => s with { State = ConnectionState.Connected, Error = null, Failures = 0, Refusals = 0 });

    /// <summary>The connection was lost, or an attempt to connect failed.</summary>
    public void Failed(string reason, bool isRefusal) => Change(s => s with
    {
        State = isRefusal ? ConnectionState.Refused : ConnectionState.Disconnected,
        Error = reason,
        Failures = s.Failures + 1,
        Refusals = s.Refusals + (isRefusal ? 1 : 0),
    });

    /// <summary>This client has received every release that the hosts had when it joined.</summary>
    public void Synced() => Change(s => s with { IsSynced = true });

    /// <summary>Returns once this client is connected; at once if it is.</summary>
    /// <exception cref="RippleRefusedException">A host refused it.</exception>
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
                    break;
            }
        }
    }

    /// <summary>The exception of a refused client.</summary>
    public static RippleRefusedException Refused(Standing standing) => new(
        $"No host lets this client in: {standing.Error} "
        + "Check the token and the authority of the connection string, or ask an administrator for a new one.");

    private void Change(Func<Standing, Standing> change)
    {
        TaskCompletionSource changed;
        lock (_lock)
        {
            changed = _standing.Changed;
            _standing = change(_standing) with { Changed = NewSignal() };
        }

        changed.TrySetResult();
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The state at one moment. Immutable.</summary>
    /// <param name="State">The state.</param>
    /// <param name="Error">Why it is not connected; null while it is, and before the first attempt ends.</param>
    /// <param name="Failures">Attempts that failed in a row.</param>
    /// <param name="Refusals">How many of those were refusals.</param>
    /// <param name="IsSynced">Every release that the hosts had at the first join has been received.</param>
    /// <param name="Changed">Completes at the next change.</param>
    internal sealed record Standing(
        ConnectionState State, string? Error, int Failures, int Refusals, bool IsSynced, TaskCompletionSource Changed);
}
