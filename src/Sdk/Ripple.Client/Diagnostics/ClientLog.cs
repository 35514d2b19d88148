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

    [LoggerMessage(
        1006,
        LogLevel.Warning,
        "The value of {Key} in {Application} release {Release} is not taken: {Reason} "
        + "(digest {Digest}; {Omitted} more since the last line). What is in effect stays; it is asked for again. "
        + "If this lasts, the host's store is damaged.")]
    public static partial void ValueRefused(
        ILogger logger, string key, string application, ulong release, string reason, string digest, long omitted);

    [LoggerMessage(
        1007,
        LogLevel.Warning,
        "Refused for {Application}: {Reason} (release {Release}, 0 if not known; {Omitted} more since the last line). "
        + "It has no effect, and the host is asked for what is genuine.")]
    public static partial void MessageRefused(ILogger logger, string application, ulong release, string reason, long omitted);

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

    [LoggerMessage(
        1017,
        LogLevel.Warning,
        "{Application} has release {Release} on its disk, and has accepted neither it nor one before it: "
            + "it takes effect if it is accepted now.")]
    public static partial void NothingAccepted(ILogger logger, string application, ulong release);

    [LoggerMessage(1018, LogLevel.Error, "{Application} accepted release {Release} in an earlier process, and rejects it now: {Reason}")]
    public static partial void Withdrawn(ILogger logger, string application, ulong release, string reason);

    [LoggerMessage(
        1019,
        LogLevel.Warning,
        "{Release} takes effect though release {Newest} is newer: this process rejects that one, and had accepted none.")]
    public static partial void AppliedPast(ILogger logger, RippleRelease release, ulong newest);

    [LoggerMessage(1016, LogLevel.Warning, "Started without a host, from a snapshot: {Reason}")]
    public static partial void StartedOffline(ILogger logger, string reason);
}
