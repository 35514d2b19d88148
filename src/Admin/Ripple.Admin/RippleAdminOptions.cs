namespace Ripple.Admin;

/// <summary>How the client of the admin API behaves. Immutable.</summary>
public sealed record RippleAdminOptions
{
    /// <summary>
    /// How long one try of a request may take. Publishes and rollbacks have 5 minutes instead, waits their own timeout and 30 s. Default 30
    /// s.
    /// </summary>
    public TimeSpan RequestTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long to wait for a connection to one host. Default 5 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How often a request that may be asked again is, over the hosts in turn; 0 or less: never. Default 3.</summary>
    public int RetryCount { get; init; } = 3;

    /// <summary>What the client calls itself, in the host's log. Default <c>Ripple.Admin</c>.</summary>
    public string UserAgent { get; init; } = "Ripple.Admin";

    /// <summary>
    /// How long one try of a publish or a rollback may take. They have a name of their own, so that asking again does no harm. Default 5
    /// minutes.
    /// </summary>
    internal TimeSpan ChangeTimeout { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>How long a host may say nothing during a wait, of which it says every 10 s that it goes on. Default 30 s.</summary>
    internal TimeSpan SilenceTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long after the end of a wait its answer may come. Default 30 s.</summary>
    internal TimeSpan WaitGrace { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The clock of the limits of a wait. Default: the system's.</summary>
    internal TimeProvider Time { get; init; } = TimeProvider.System;
}
