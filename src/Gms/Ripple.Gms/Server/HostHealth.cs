using Ripple.Gms.Store;
using Ripple.Transports.Running;

namespace Ripple.Gms.Server;

/// <summary>The health of a host. Any thread.</summary>
internal sealed class HostHealth(CoreRunner runner, IHostStore store, Task completion)
{
    /// <summary>The status of a healthy host.</summary>
    public const string Ok = "ok";

    private static readonly TimeSpan CoreTimeout = TimeSpan.FromSeconds(2);
    private readonly Lock _asking = new();
    private Task<bool>? _question;

    /// <summary>True once a stop has begun.</summary>
    public bool IsStopping { get; set; }

    /// <summary>The liveness status: not ok after a failure that only a restart resolves, or a stop.</summary>
    public string Live() => completion.IsCompleted ? "failed" : Ok;

    /// <summary>The readiness status: ok while the store accepts writes and the core answers.</summary>
    public async Task<string> ReadyAsync()
    {
        if (IsStopping)
        {
            return "stopping";
        }

        if (completion.IsCompleted)
        {
            return "failed";
        }

        if (store.IsBroken)
        {
            return "store broken";
        }

        return await IsCoreAliveAsync().ConfigureAwait(false) ? Ok : "core does not answer";
    }

    /// <summary>Shares one pending question among all callers, so that questions do not pile up at a stuck core.</summary>
    private async Task<bool> IsCoreAliveAsync()
    {
        Task<bool> question;
        lock (_asking)
        {
            if (_question is null || _question.IsCompleted)
            {
                _question = AskAsync();
            }

            question = _question;
        }

        try
        {
            return await question.WaitAsync(CoreTimeout).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            return false;
        }
    }

    private async Task<bool> AskAsync()
    {
        try
        {
            return await runner.RunAsync(() => true).ConfigureAwait(false);
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }
}
