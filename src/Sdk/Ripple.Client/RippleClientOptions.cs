using System.Net;
using Microsoft.Extensions.Logging;

namespace Ripple.Client;

/// <summary>
/// What a client is and how it behaves. What is null here is taken from the connection string, then from the default. Immutable.
/// </summary>
public sealed record RippleClientOptions
{
    /// <summary>
    /// The application this process is of: 1 to 100 of <c>a-z 0-9 . _ -</c>. No default: here, or in the connection string.
    /// </summary>
    public string? Application { get; init; }

    /// <summary>The data centre: 1 to 64 of <c>A-Z a-z 0-9 . _ -</c>. Default <c>default</c>.</summary>
    public string? Zone { get; init; }

    /// <summary>A name for people, in the same alphabet. Default the machine's name.</summary>
    public string? Name { get; init; }

    /// <summary>Other applications whose releases this process wants; at most 63. Default none.</summary>
    public IReadOnlyList<string>? Interest { get; init; }

    /// <summary>Labels for predicates; at most 32. Replace those of the connection string. Default none.</summary>
    public IReadOnlyDictionary<string, string>? Labels { get; init; }

    /// <summary>What to do when no host can be reached at the start. Default <see cref="StartupMode.UseSnapshot"/>.</summary>
    public StartupMode StartupMode { get; init; } = StartupMode.UseSnapshot;

    /// <summary>
    /// How long <see cref="RippleClient.ConnectAsync"/> may take; it does not wait in <see cref="StartupMode.Background"/>. Default 10 s.
    /// </summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a publish or a rollback is tried, over lost connections. Default 30 s.</summary>
    public TimeSpan PublishTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long any other call is tried, over lost connections. Default 30 s.</summary>
    public TimeSpan CallTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Whether to keep what is in effect on disk. Default <see cref="SnapshotMode.On"/>.</summary>
    public SnapshotMode SnapshotMode { get; init; } = SnapshotMode.On;

    /// <summary>
    /// The directory to keep it in. Null: <c>RIPPLE_STATE_DIRECTORY</c>; else the first that can be written of <c>ripple</c> in systemd's
    /// <c>STATE_DIRECTORY</c>, in <c>$XDG_STATE_HOME</c>, in <c>~/.local/state</c>, and <c>Ripple</c> in <c>%LOCALAPPDATA%</c>; else the
    /// client runs without, and says so once in the log.
    /// </summary>
    public string? SnapshotDirectory { get; init; }

    /// <summary>
    /// The core thread and ports to use, shared with other clients. Null for the process's default. A given one is the caller's to dispose
    /// of, after its clients.
    /// </summary>
    public RippleRuntime? Runtime { get; init; }

    /// <summary>
    /// Asked before a release takes effect, in the order of releases, on the thread pool. An exception rejects with its message. Not asked
    /// of what was restored from disk. Null accepts everything.
    /// </summary>
    public Func<RippleRelease, CancellationToken, ValueTask<ReleaseDecision>>? AcceptRelease { get; init; }

    /// <summary>
    /// How long <see cref="AcceptRelease"/> may take; after that its token is cancelled and the release is rejected. Default 30 s.
    /// </summary>
    public TimeSpan AcceptTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Where the client logs. Null logs nothing.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The local address the datagram ports are bound to. Null for the one that leads to the first host.</summary>
    public IPAddress? BindAddress { get; init; }

    /// <summary>
    /// The address other members reach this process at, where it differs from the bound one (a container, address translation). Null for
    /// the bound one.
    /// </summary>
    public IPAddress? AdvertisedAddress { get; init; }
}
