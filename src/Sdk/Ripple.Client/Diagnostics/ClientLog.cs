using Microsoft.Extensions.Logging;

namespace Ripple.Client.Diagnostics;

/// <summary>The messages a client logs. Event ids 1000 to 1099; the id of a removed message is never reused.</summary>
internal static partial class ClientLog
{
    [LoggerMessage(1000, LogLevel.Information, "Connected as {Application}.")]
    public static partial void Connected(ILogger logger, string application);

    [LoggerMessage(1001, LogLevel.Warning, "Not connected: {Reason} The client keeps what is in effect and tries again.")]
    public static partial void Disconnected(ILogger logger, string reason);

    [LoggerMessage(
        1002,
        LogLevel.Error,
        "No host lets this client in: {Reason} It keeps what is in effect and tries again; an administrator must act.")]
    public static partial void Refused(ILogger logger, string reason);

    [LoggerMessage(1003, LogLevel.Information, "{Release} is in effect.")]
    public static partial void Applied(ILogger logger, RippleRelease release);

    [LoggerMessage(1004, LogLevel.Warning, "{Release} was rejected by this process: {Reason}")]
    public static partial void Rejected(ILogger logger, RippleRelease release, string reason);

    [LoggerMessage(1005, LogLevel.Error, "A handler of ConnectionStateChanged failed.")]
    public static partial void HandlerFailed(ILogger logger, Exception exception);

    [LoggerMessage(1010, LogLevel.Information, "Snapshots are kept in {Path}.")]
    public static partial void SnapshotsKept(ILogger logger, string path);

    [LoggerMessage(
        1011,
        LogLevel.Warning,
        "No snapshots are kept, so a restart needs a host and is a new node: {Reason} "
        + "Set {Variable} to a directory this process can write, or turn snapshots off.")]
    public static partial void SnapshotsOff(ILogger logger, string reason, string variable);

    [LoggerMessage(1012, LogLevel.Warning, "The snapshot {Path} is not used: {Reason}. It is fetched again from a host.")]
    public static partial void SnapshotIgnored(ILogger logger, string path, string reason);

    [LoggerMessage(
        1013,
        LogLevel.Information,
        "{Application} starts from its verified snapshot of release {Release}, released at {Time:u}.")]
    public static partial void SnapshotRestored(ILogger logger, string application, ulong release, DateTimeOffset time);

    [LoggerMessage(1014, LogLevel.Warning, "The snapshot {Path} cannot be written: {Reason} The one before stays.")]
    public static partial void SnapshotFailed(ILogger logger, string path, string reason);

    [LoggerMessage(1015, LogLevel.Warning, "The node's identity cannot be kept in {Path}: {Reason} A restart is a new node.")]
    public static partial void IdentityNotKept(ILogger logger, string path, string reason);

    [LoggerMessage(1016, LogLevel.Warning, "Started without a host, from a snapshot: {Reason}")]
    public static partial void StartedOffline(ILogger logger, string reason);
}
