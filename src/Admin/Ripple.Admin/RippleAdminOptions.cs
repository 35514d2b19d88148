namespace Ripple.Admin;

/// <summary>How the client of the admin API behaves. Immutable.</summary>
public sealed record RippleAdminOptions
{
    /// <summary>How long one request may take, waits and transfers apart. Default 30 s.</summary>
    public TimeSpan RequestTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long to wait for a connection to one host. Default 5 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How often a request that may be asked again is, over the hosts in turn. Default 3.</summary>
    public int RetryCount { get; init; } = 3;

    /// <summary>What the client calls itself, in the host's log. Default <c>Ripple.Admin</c>.</summary>
    public string UserAgent { get; init; } = "Ripple.Admin";
}
