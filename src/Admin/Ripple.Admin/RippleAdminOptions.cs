namespace Ripple.Admin;

/// <summary>The behavior of an admin API client. Immutable.</summary>
public sealed record RippleAdminOptions
{
    /// <summary>
    /// The time limit of one try of a request. Publishes and rollbacks have 5 minutes instead, waits their own timeout plus 30 s. Default
    /// 30 s.
    /// </summary>
    public TimeSpan RequestTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long to wait for a connection to one host. Default 5 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Maximum number of retries of a request that is safe to repeat, trying the hosts in turn; 0 or less for none. Default 3.
    /// </summary>
    public int RetryCount { get; init; } = 3;

    /// <summary>The client's name in the host's log. Default <c>Ripple.Admin</c>.</summary>
    public string UserAgent { get; init; } = "Ripple.Admin";

    /// <summary>
    /// The time limit of one try of a publish or a rollback. They carry their own id, so that retrying is safe. Default 5 minutes.
    /// </summary>
    internal TimeSpan ChangeTimeout { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// How long a host may be silent during a wait; it normally reports every 10 s that the wait continues. Default 30 s.
    /// </summary>
    internal TimeSpan SilenceTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long after the end of a wait its result may arrive. Default 30 s.</summary>
    internal TimeSpan WaitGrace { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The clock for the limits of a wait. Default: the system clock.</summary>
    internal TimeProvider Time { get; init; } = TimeProvider.System;
}
