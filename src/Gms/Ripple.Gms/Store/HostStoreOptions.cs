namespace Ripple.Gms.Store;

/// <summary>Options for opening a store. The defaults suit a host.</summary>
internal sealed record HostStoreOptions
{
    /// <summary>The number of newest publishes remembered per application at start. Default 10,000.</summary>
    public int PublishHorizonCount { get; init; } = 10_000;

    /// <summary>The most waiting requests. Default 4,096.</summary>
    public int QueueCountMax { get; init; } = 4_096;

    /// <summary>The most bytes of waiting batches; a single larger batch is accepted into an empty queue. Default 64 MiB.</summary>
    public long QueueBytesMax { get; init; } = 64L * 1024 * 1024;

    /// <summary>The time to wait for another process's lock, in milliseconds. Default 5,000.</summary>
    public int BusyTimeoutMs { get; init; } = 5_000;

    /// <summary>
    /// How long a database that does not answer in time, or is still starting, is asked again when the store is opened, in milliseconds.
    /// Default 30,000.
    /// </summary>
    public int OpenPatienceMs { get; init; } = 30_000;

    /// <summary>
    /// How far the write-ahead log may grow while reads keep it from beginning anew, in bytes, about; then reads pause for a moment.
    /// Default 64 MiB.
    /// </summary>
    public long LogBytesMax { get; init; } = 64L * 1024 * 1024;

    /// <summary>The interval of checks for another process's changes, in milliseconds. Default 500.</summary>
    public int PollMs { get; init; } = 500;

    /// <summary>
    /// Called when something stored is found damaged, with what and where; once for each such thing. On the store's thread. Default none.
    /// </summary>
    public Action<string>? OnDamaged { get; init; }

    /// <summary>
    /// True (the default) for a host: a second host on the same store is refused immediately. False for a tool that reads or changes tokens
    /// while a host may be running.
    /// </summary>
    public bool IsHost { get; init; } = true;

    /// <summary>
    /// The lease of a host whose store others may lead: while it is held, a session that has the store open is ended. Null (the default)
    /// for a store that one host alone may open.
    /// </summary>
    public IHostLease? Lease { get; init; }

    /// <summary>
    /// True for a data directory that has never led its cluster: it has no mark of the store, and the store is no copy for that. Default
    /// false.
    /// </summary>
    public bool IsNewHere { get; init; }
}
