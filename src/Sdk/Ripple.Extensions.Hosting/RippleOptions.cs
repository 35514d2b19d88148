using Microsoft.Extensions.Logging;
using Ripple.Client;

namespace Ripple.Extensions.Hosting;

/// <summary>
/// How a host uses Ripple. Each is read from the section <c>Ripple:&lt;name&gt;</c> first, where it has a key of the same name, and set by
/// code then. Read once, when the source is added or the service is first asked for; not thread-safe before.
/// </summary>
public sealed class RippleOptions
{
    /// <summary>
    /// <c>Endpoints=...;Authority=...;Token=...;Application=...</c>. Null (the default): <c>ConnectionStrings:&lt;name&gt;</c>.
    /// </summary>
    public string? ConnectionString { get; set; }

    /// <summary>The application this process is of. Null (the default): what the connection string says.</summary>
    public string? Application { get; set; }

    /// <summary>The data centre. Null (the default): what the connection string says, else <c>default</c>.</summary>
    public string? Zone { get; set; }

    /// <summary>The node's name for people. Null (the default): what the connection string says, else the machine's name.</summary>
    public string? NodeName { get; set; }

    /// <summary>Labels for predicates. Empty (the default): those of the connection string.</summary>
    public IDictionary<string, string> Labels { get; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>
    /// Which keys of the application become configuration: a key, or with <c>*</c> at its end every key that begins so. Empty (the
    /// default): all. Others are read by the client alone.
    /// </summary>
    public IList<string> Keys { get; } = [];

    /// <summary>
    /// The key whose JSON object is spread at the root instead of in a section of its name. Default <c>appsettings.json</c>; empty for
    /// none.
    /// </summary>
    public string RootKey { get; set; } = "appsettings.json";

    /// <summary>A section that everything is put below, as <c>Shop</c> or <c>Shop:Remote</c>. Default none.</summary>
    public string Prefix { get; set; } = string.Empty;

    /// <summary>
    /// True: without a connection string, or after a start that failed, the configuration begins empty and the cause is in the log; with a
    /// connection string the client goes on trying. Default false: the start fails.
    /// </summary>
    public bool Optional { get; set; }

    /// <summary>What to do when no host can be reached at the start. Default <see cref="StartupMode.UseSnapshot"/>.</summary>
    public StartupMode StartupMode { get; set; } = StartupMode.UseSnapshot;

    /// <summary>How long the first load may wait for a host; nothing waits anywhere else. Default 10 s.</summary>
    public TimeSpan StartupTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The directory of the snapshot. Null (the default): as <see cref="RippleClientOptions.SnapshotDirectory"/> says.</summary>
    public string? SnapshotPath { get; set; }

    /// <summary>
    /// From what age on, since a host last confirmed it, what this process has makes the health check unhealthy. Null (the default): never;
    /// it is degraded.
    /// </summary>
    public TimeSpan? MaxStaleness { get; set; }

    /// <summary>Where releases stand among the other sources. Default <see cref="RipplePrecedence.BelowEnvironment"/>.</summary>
    public RipplePrecedence Precedence { get; set; } = RipplePrecedence.BelowEnvironment;

    /// <summary>
    /// How long the validation of a release may take, and, after it, how long the release's acknowledgement waits for the callbacks of the
    /// reload. A validation that takes longer rejects; callbacks that take longer are logged and go on. More than zero and at most one
    /// hour. Default 30 s.
    /// </summary>
    public TimeSpan ValidationTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Where to log before the host's own log is there. Null (the default): the last 256 lines are held back and written once it is. Code
    /// only.
    /// </summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>
    /// Changes what else the client can be told: addresses, interest, runtime; a callback that accepts releases is asked before the
    /// validation, within its own limit. Null (the default) changes nothing. Code only.
    /// </summary>
    public Func<RippleClientOptions, RippleClientOptions>? ConfigureClient { get; set; }
}
