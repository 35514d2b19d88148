namespace Ripple.Client.Running;

/// <summary>Where a client stands with its hosts, for those who wait for it. Written on the core thread, read by anybody.</summary>
internal sealed class ConnectionGate
{
    private readonly Lock _lock = new();
    private Standing _standing = new(ConnectionState.Connecting, null, 0, 0, false, NewSignal());

    /// <summary>How it is now.</summary>
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

    public void Connected() => Change(s => s with { State = ConnectionState.Connected, Error = null, Failures = 0, Refusals = 0 });

    public void Failed(string reason, bool isRefusal) => Change(s => s with
    {
        State = isRefusal ? ConnectionState.Refused : ConnectionState.Disconnected,
        Error = reason,
        Failures = s.Failures + 1,
        Refusals = s.Refusals + (isRefusal ? 1 : 0),
    });

    /// <summary>What the hosts had at the join is here.</summary>
    public void Synced() => Change(s => s with { IsSynced = true });

    /// <summary>Returns while a host has this client.</summary>
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

    public static RippleRefusedException Refused(Standing standing) =>
        new($"No host lets this client in: {standing.Error} Check the token and the authority of the connection string, or ask an administrator for a new one.");

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

    /// <summary>How it was at one moment.</summary>
    /// <param name="State">The state.</param>
    /// <param name="Error">Why it is not connected.</param>
    /// <param name="Failures">Attempts that failed in a row.</param>
    /// <param name="Refusals">How many of those were refusals.</param>
    /// <param name="IsSynced">What the hosts had at the first join is here.</param>
    /// <param name="Changed">Completes at the next change.</param>
    internal sealed record Standing(ConnectionState State, string? Error, int Failures, int Refusals, bool IsSynced, TaskCompletionSource Changed);
}
