using System.Globalization;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;
using Ripple.Transports.Running;

namespace Ripple.Gms.Server;

/// <summary>What a host says of itself to whoever probes it. Any thread.</summary>
internal interface IHealth
{
    /// <summary>Whether the process is well: not after a failure that only a restart resolves.</summary>
    HealthAnswer Live();

    /// <summary>Whether the host serves nodes.</summary>
    Task<HealthAnswer> ReadyAsync();
}

/// <summary>The health of a host that waits for another's lease to end: well, and not for nodes.</summary>
/// <param name="leader">Who leads; null while that is not known.</param>
internal sealed class StandbyHealth(Func<LeaseHolder?> leader) : IHealth
{
    /// <inheritdoc/>
    public HealthAnswer Live() => new(true, HostHealth.Ok);

    /// <inheritdoc/>
    public Task<HealthAnswer> ReadyAsync() => Task.FromResult(new HealthAnswer(
        false, leader() is { } holder ? $"standby: '{holder.Name}' leads at {holder.Endpoint}" : "starting: asking who leads"));
}

/// <summary>The health of a host. Any thread.</summary>
/// <param name="runner">The core.</param>
/// <param name="store">The store.</param>
/// <param name="storePath">Where the store is, for people.</param>
/// <param name="space">How much room the store takes and has; null for a database.</param>
/// <param name="lease">Whether the host may be sure that it leads.</param>
/// <param name="completion">Ends when the host has stopped or failed.</param>
internal sealed class HostHealth(
    CoreRunner runner, IHostStore store, string storePath, Func<StoreSpace?> space, IHostLease lease, Task completion) : IHealth
{
    /// <summary>The status of a healthy host.</summary>
    public const string Ok = "ok";

    private static readonly TimeSpan CoreTimeout = TimeSpan.FromSeconds(2);
    private readonly Lock _asking = new();
    private Task<bool>? _question;

    /// <summary>How many members are leaves of their regions now.</summary>
    public Func<long> Leaves { get; init; } = () => 0;

    /// <summary>True once a stop has begun.</summary>
    public bool IsStopping { get; set; }

    /// <summary>The liveness status: not ok after a failure that only a restart resolves, or a stop.</summary>
    public HealthAnswer Live() => completion.IsCompleted ? new(false, "failed") : new(true, Ok);

    /// <summary>
    /// The readiness status: well while the core answers, for nodes and reads are served then. A store that takes no commits degrades it:
    /// who takes the host out of service for that would take the nodes what they still have.
    /// </summary>
    public async Task<HealthAnswer> ReadyAsync()
    {
        if (IsStopping)
        {
            return new(false, "stopping");
        }

        if (completion.IsCompleted)
        {
            return new(false, "failed");
        }

        return await IsCoreAliveAsync().ConfigureAwait(false)
            ? new(true, $"{Describe(store.Trouble)}\n{Describe(space())}{Describe(Leaves())}")
            : new(false, "core does not answer");
    }

    private string Describe(StoreTrouble? trouble) => trouble?.Status switch
    {
        null when !lease.IsHeld =>
            "degraded: not sure that it leads: calls are refused until the database renews its lease, nodes go on",
        null => Ok,
        _ when space() is null => $"degraded: publishes are refused until the database takes them, reads and nodes go on. {trouble.Reason}",
        StoreStatus.Full =>
            $"degraded: disk full: publishes are refused until there is room for '{storePath}', reads and nodes go on. {trouble.Reason}",
        _ => $"degraded: store broken: publishes are refused until the disk of '{storePath}' works, "
            + $"reads and nodes go on. {trouble.Reason}",
    };

    private static string Describe(StoreSpace? space) => space is null ? "store in a database" : string.Create(
        CultureInfo.InvariantCulture,
        $"store {space.FileBytes} bytes, {space.FreePageBytes} of them free; {Free(space)}");

    private static string Describe(long leaves) => leaves == 0 ? string.Empty : string.Create(
        CultureInfo.InvariantCulture, $"\nmembers that left their region's view, too slow or not reached by UDP: {leaves}");

    private static string Free(StoreSpace space) => space.DiskFreeBytes < 0
        ? "the disk does not say what it has free"
        : string.Create(CultureInfo.InvariantCulture, $"disk {space.DiskFreeBytes} bytes free");

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

/// <summary>What a host says of its health.</summary>
/// <param name="IsWell">False if it does not serve nodes: 503.</param>
/// <param name="Text">A word or a sentence, for people; further lines say more.</param>
internal readonly record struct HealthAnswer(bool IsWell, string Text);
