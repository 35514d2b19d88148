using Microsoft.Extensions.Logging;
using Ripple.Client;
using Ripple.Client.Scheduling;

namespace Ripple.Extensions.Hosting;

/// <summary>
/// How a host uses Ripple. Each option is first read from the key of the same name in the section <c>Ripple:&lt;name&gt;</c>, and can then
/// be set in code. Read once, when the source is added or the service is first requested; not thread-safe until then.
/// </summary>
public sealed class RippleOptions
{
    /// <summary>
    /// <c>Endpoints=...;Authority=...;Token=...;Application=...</c>. Null (the default) for <c>ConnectionStrings:&lt;name&gt;</c>.
    /// </summary>
    public string? ConnectionString { get; set; }

    /// <summary>The application this process belongs to. Null (the default) for the one in the connection string.</summary>
    public string? Application { get; set; }

    /// <summary>The data center. Null (the default) for the zone in the connection string, or else <c>default</c>.</summary>
    public string? Zone { get; set; }

    /// <summary>The node's display name. Null (the default) for the name in the connection string, or else the machine's name.</summary>
    public string? NodeName { get; set; }

    /// <summary>Labels for predicates. Empty (the default) for those of the connection string.</summary>
    public IDictionary<string, string> Labels { get; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>
    /// The keys of the application that become configuration: a key, or a prefix ending in <c>*</c> for all keys that start with it. Empty
    /// (the default) for all. Other keys can be read only through the client.
    /// </summary>
    public IList<string> Keys { get; } = [];

    /// <summary>
    /// The key whose JSON object is placed at the root instead of in a section of its own name. Default <c>appsettings.json</c>; empty for
    /// none.
    /// </summary>
    public string RootKey { get; set; } = "appsettings.json";

    /// <summary>A section to place everything under, such as <c>Shop</c> or <c>Shop:Remote</c>. Default none.</summary>
    public string Prefix { get; set; } = string.Empty;

    /// <summary>
    /// If true, a missing connection string or a failed start leaves the configuration empty and logs the cause; with a connection string,
    /// the client keeps trying. An invalid option still fails the start. If false (the default), the start fails.
    /// </summary>
    public bool Optional { get; set; }

    /// <summary>How to start when no host can be reached. Default <see cref="StartupMode.UseSnapshot"/>.</summary>
    public StartupMode StartupMode { get; set; } = StartupMode.UseSnapshot;

    /// <summary>How long the first load may wait for a host; nothing else waits. Default 10 s.</summary>
    public TimeSpan StartupTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The directory of the snapshot. Null (the default) as in <see cref="RippleClientOptions.SnapshotDirectory"/>.</summary>
    public string? SnapshotPath { get; set; }

    /// <summary>
    /// The maximum age of this process's state since a host last confirmed it. Beyond it, or if no host ever has, the health check is
    /// unhealthy. Null (the default) for no maximum: the check is then degraded at worst.
    /// </summary>
    public TimeSpan? MaxStaleness { get; set; }

    /// <summary>
    /// The position of releases among the other configuration sources. Default <see cref="RipplePrecedence.BelowEnvironment"/>.
    /// </summary>
    public RipplePrecedence Precedence { get; set; } = RipplePrecedence.BelowEnvironment;

    /// <summary>
    /// The time limit for validating a release and, separately, how long its acknowledgment then waits for the reload's callbacks. A
    /// validation that takes longer rejects the release; callbacks that take longer are logged and continue. More than zero and at most one
    /// hour. Default 30 s.
    /// </summary>
    public TimeSpan ValidationTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The log to use before the host's own log exists. Null (the default): the last 256 entries are held back and written once it does.
    /// Code only.
    /// </summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>
    /// Changes the remaining client options: addresses, interest, runtime. A callback that accepts releases runs before the validation,
    /// within its own time limit. Null (the default) changes nothing. Code only.
    /// </summary>
    public Func<RippleClientOptions, RippleClientOptions>? ConfigureClient { get; set; }

    /// <summary>Runs the connection's work, and tells it the time. Default the thread pool.</summary>
    internal IClientScheduler Scheduler { get; set; } = PoolScheduler.Instance;
}
