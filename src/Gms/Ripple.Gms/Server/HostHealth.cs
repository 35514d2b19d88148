using Ripple.Gms.Store;
using Ripple.Transports.Running;

namespace Ripple.Gms.Server;

/// <summary>How a host is. Any thread.</summary>
internal sealed class HostHealth(CoreRunner runner, IHostStore store, Task completion)
{
    /// <summary>What is said when all is well.</summary>
    public const string Ok = "ok";

    private static readonly TimeSpan CoreTimeout = TimeSpan.FromSeconds(2);
    private readonly Lock _asking = new();
    private Task<bool>? _question;

    /// <summary>True from the begin of a stop on.</summary>
    public bool IsStopping { get; set; }

    /// <summary>Whether the process is worth keeping: not after a failure that only a new start ends.</summary>
    public string Live() => completion.IsCompleted ? "failed" : Ok;

    /// <summary>Whether the host can serve: its store takes writes and its core answers.</summary>
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

    /// <summary>One question at a time, however many ask: a core that is stuck must not gather them.</summary>
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
