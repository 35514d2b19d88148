using System.Net;
using Microsoft.Extensions.Logging;
using Ripple.Client.State;
using Ripple.Engine.Interest;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Trust;

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

    /// <summary>Other applications whose releases this process receives: at most 1,023, of 32 KiB of names. Default none.</summary>
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

    /// <summary>
    /// How long a publish or a rollback is retried, across lost connections and stores that failed, with the same publish id. Default 30 s.
    /// </summary>
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

/// <summary>
/// Resolves a client's settings: the options override the connection string, which overrides the defaults. It is located next to the
/// options because they refer to the runtime, which is composed of all rooms; the rooms know only the <see cref="ClientSettings"/> it
/// returns.
/// </summary>
internal static class SettingsResolver
{
    private const int NameLengthMax = 64;

    /// <summary>Resolves and validates the settings.</summary>
    /// <exception cref="RippleException">A setting is missing or not valid; the message says what to write.</exception>
    public static ClientSettings Resolve(string connectionString, RippleClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(connectionString);
        if (!ConnectionString.TryParse(connectionString, out ConnectionString? connection, out string error))
        {
            throw new RippleException(ErrorCode.InvalidRequest, error);
        }

        string application = options.Application ?? connection!.Application
            ?? throw Invalid(
                "No application is named. Write Application=... into the connection string, or set RippleClientOptions.Application.");
        IReadOnlyList<string> interest = options.Interest ?? [];
        CheckApplications(application, interest);
        IReadOnlyList<KeyValuePair<string, string>> labels =
            options.Labels is { } given ? [.. given.OrderBy(l => l.Key, StringComparer.Ordinal)] : connection!.Labels;
        CheckLabels(labels);
        CheckTime(options.ConnectTimeout, nameof(options.ConnectTimeout));
        CheckTime(options.PublishTimeout, nameof(options.PublishTimeout));
        CheckTime(options.CallTimeout, nameof(options.CallTimeout));
        CheckTime(options.AcceptTimeout, nameof(options.AcceptTimeout));
        return new ClientSettings
        {
            Connection = connection!,
            Application = application,
            Zone = CheckName(options.Zone ?? connection!.Zone ?? "default", "RippleClientOptions.Zone"),
            Name = CheckName(options.Name ?? connection!.Name ?? MachineName(), "RippleClientOptions.Name"),
            Interest = interest,
            Labels = labels,
            AcceptRelease = options.AcceptRelease,
            HoldsDecisions = options.HoldsDecisions,
            AcceptTimeout = options.AcceptTimeout,
            SnapshotMode = options.SnapshotMode,
            SnapshotDirectory = options.SnapshotDirectory,
        };
    }

    private static void CheckApplications(string application, IReadOnlyList<string> interest)
    {
        foreach (string name in interest.Prepend(application))
        {
            if (ReleaseNames.CheckApplication(name) is { } wrong)
            {
                throw Invalid($"The application '{name}' is not valid. {wrong}");
            }
        }

        string[] all = [.. interest.Append(application).Distinct(StringComparer.Ordinal)];
        if (all.Length > RegionIdentity.InterestMax)
        {
            throw Invalid(
                $"The interest has more than {RegionIdentity.InterestMax - 1} applications besides its own. Use several clients.");
        }

        if (RegionIdentity.InterestBytesOf(all) > RegionIdentity.InterestBytesMax)
        {
            throw Invalid(
                $"The names of the interest's applications take more than {RegionIdentity.InterestBytesMax} bytes, one more each. "
                    + "Use several clients.");
        }
    }

    private static void CheckLabels(IReadOnlyList<KeyValuePair<string, string>> labels)
    {
        if (labels.Count > ConnectionString.LabelsMax)
        {
            throw Invalid($"There are {labels.Count} labels; {ConnectionString.LabelsMax} is the most.");
        }

        foreach ((string key, string value) in labels)
        {
            CheckName(key, "RippleClientOptions.Labels");
            CheckName(value, "RippleClientOptions.Labels");
        }
    }

    private static string CheckName(string name, string where)
    {
        bool isValid = name.Length is > 0 and <= NameLengthMax && char.IsAsciiLetterOrDigit(name[0])
            && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-');
        return isValid
            ? name
            : throw Invalid(
                $"{where} has '{name}', which is not 1 to {NameLengthMax} of A-Z a-z 0-9 . _ -, starting with a letter or digit.");
    }

    private static void CheckTime(TimeSpan time, string what)
    {
        if (time <= TimeSpan.Zero || time > TimeSpan.FromDays(1))
        {
            throw Invalid($"RippleClientOptions.{what} is {time}. Give more than zero and at most one day.");
        }
    }

    private static string MachineName()
    {
        string name = new([
            .. Environment.MachineName.Take(NameLengthMax).Select(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-' ? c : '-'),
        ]);
        return name.Length > 0 && char.IsAsciiLetterOrDigit(name[0]) ? name : "node";
    }

    private static RippleException Invalid(string message) => new(ErrorCode.InvalidRequest, message);
}
