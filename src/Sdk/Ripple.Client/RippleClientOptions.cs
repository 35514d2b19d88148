using System.Net;
using Microsoft.Extensions.Logging;

namespace Ripple.Client;

/// <summary>
/// A client's identity and behavior. A value left null is taken from the connection string, then from the default. Immutable.
/// </summary>
public sealed record RippleClientOptions
{
    /// <summary>
    /// The application this process belongs to: 1 to 100 of <c>a-z 0-9 . _ -</c>. No default: required here or in the connection string.
    /// </summary>
    public string? Application { get; init; }

    /// <summary>The data center: 1 to 64 of <c>A-Z a-z 0-9 . _ -</c>. Default <c>default</c>.</summary>
    public string? Zone { get; init; }

    /// <summary>The node's display name, with the same characters. Default: the machine's name.</summary>
    public string? Name { get; init; }

    /// <summary>Other applications whose releases this process receives; at most 63. Default none.</summary>
    public IReadOnlyList<string>? Interest { get; init; }

    /// <summary>Labels for predicates; at most 32. They replace the labels of the connection string. Default none.</summary>
    public IReadOnlyDictionary<string, string>? Labels { get; init; }

    /// <summary>How to start when no host can be reached. Default <see cref="StartupMode.UseSnapshot"/>.</summary>
    public StartupMode StartupMode { get; init; } = StartupMode.UseSnapshot;

    /// <summary>
    /// Time limit of <see cref="RippleClient.ConnectAsync"/>; not used in <see cref="StartupMode.Background"/>, which does not wait.
    /// Default 10 s.
    /// </summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a publish or a rollback is retried, across lost connections. Default 30 s.</summary>
    public TimeSpan PublishTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long any other call is retried, across lost connections. Default 30 s.</summary>
    public TimeSpan CallTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Whether to save the state in effect to disk. Default <see cref="SnapshotMode.On"/>.</summary>
    public SnapshotMode SnapshotMode { get; init; } = SnapshotMode.On;

    /// <summary>
    /// The snapshot directory. If null, <c>RIPPLE_STATE_DIRECTORY</c> is used. If that is not set either, the first writable one of these
    /// is used: <c>ripple</c> in systemd's <c>STATE_DIRECTORY</c>, in <c>$XDG_STATE_HOME</c> or in <c>~/.local/state</c>, and <c>Ripple</c>
    /// in <c>%LOCALAPPDATA%</c>. If there is none, the client runs without snapshots and logs this once.
    /// </summary>
    public string? SnapshotDirectory { get; init; }

    /// <summary>
    /// The core thread and ports to use, shared with other clients. Null for the process's default runtime. A given runtime belongs to the
    /// caller, who disposes it after its clients.
    /// </summary>
    public RippleRuntime? Runtime { get; init; }

    /// <summary>
    /// Called before a release takes effect, in release order, on the thread pool: for the newest release, and not for those that it
    /// superseded before they were decided. An exception rejects the release with its message. Not called for state restored from disk
    /// that was accepted before. Null accepts every release.
    /// </summary>
    public Func<RippleRelease, CancellationToken, ValueTask<ReleaseDecision>>? AcceptRelease { get; init; }

    /// <summary>
    /// True where <see cref="AcceptRelease"/> can judge releases of the own application only after
    /// <see cref="RippleClient.BeginDecidingAsync"/>. Until then none takes effect, and the one restored from disk is not reported as
    /// applied. Default false.
    /// </summary>
    internal bool HoldsDecisions { get; init; }

    /// <summary>
    /// Time limit of <see cref="AcceptRelease"/>; after it, the callback's token is canceled and the release is rejected. Default 30 s.
    /// </summary>
    public TimeSpan AcceptTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Creates the client's logger. Null disables logging.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The local address the datagram ports bind to. Null for the one that routes to the first host.</summary>
    public IPAddress? BindAddress { get; init; }

    /// <summary>
    /// The address at which other members reach this process, if it differs from the bound one (containers, address translation). Null for
    /// the bound one.
    /// </summary>
    public IPAddress? AdvertisedAddress { get; init; }
}
