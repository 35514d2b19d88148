namespace Ripple.Gms.Store;

/// <summary>How a store is opened. The defaults suit a host.</summary>
internal sealed record HostStoreOptions
{
    /// <summary>The newest publishes of an application that are remembered at start; 10,000 by default.</summary>
    public int PublishHorizonCount { get; init; } = 10_000;

    /// <summary>The most requests that wait; 4,096 by default.</summary>
    public int QueueCountMax { get; init; } = 4_096;

    /// <summary>The most bytes of batches that wait, but for a single one; 64 MiB by default.</summary>
    public long QueueBytesMax { get; init; } = 64L * 1024 * 1024;

    /// <summary>How long another process's lock is waited for, in milliseconds; 5,000 by default.</summary>
    public int BusyTimeoutMs { get; init; } = 5_000;

    /// <summary>How often another process's changes are looked for, in milliseconds; 500 by default.</summary>
    public int PollMs { get; init; } = 500;

    /// <summary>
    /// True, the default, for the host: a second host on the same store is refused at once. False for a tool that looks or changes tokens
    /// beside it.
    /// </summary>
    public bool IsHost { get; init; } = true;
}
