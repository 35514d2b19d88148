using Microsoft.Extensions.Logging;

namespace Ripple.Gms.Server;

/// <summary>All log messages of a host, except those of the core's events.</summary>
internal static partial class HostLog
{
    [LoggerMessage(
        LogEvents.Started,
        LogLevel.Information,
        "The host {Name} of cluster {Cluster} listens at {Endpoint}; data from UDP {DataAddress}, repair at UDP {RepairAddress}; "
            + "incarnation {Incarnation}.")]
    public static partial void Started(
        ILogger logger, string name, string cluster, string endpoint, string dataAddress, string repairAddress, ulong incarnation);

    [LoggerMessage(LogEvents.Stopping, LogLevel.Information, "The host stops.")]
    public static partial void Stopping(ILogger logger);

    [LoggerMessage(LogEvents.Stopped, LogLevel.Information, "The host has stopped.")]
    public static partial void Stopped(ILogger logger);

    [LoggerMessage(
        LogEvents.CoreFailed, LogLevel.Critical, "The core failed and the host cannot go on. Start it again; its store is not affected.")]
    public static partial void CoreFailed(ILogger logger, Exception exception);

    [LoggerMessage(
        LogEvents.StoreBroken,
        LogLevel.Critical,
        "The store '{Path}' takes no commits: {Reason} Reads and nodes go on. Check the disk's space and health, or the database; if it "
            + "stays, start the host again, and restore a backup if that fails too.")]
    public static partial void StoreBroken(ILogger logger, string path, string reason);

    [LoggerMessage(
        LogEvents.StoreFull,
        LogLevel.Error,
        "The store '{Path}' finds no room: {Reason} {FreeBytes} bytes are free. Publishes are refused, reads and nodes go on. Make room: "
            + "nothing has to be started again.")]
    public static partial void StoreFull(ILogger logger, string path, string reason, long freeBytes);

    [LoggerMessage(LogEvents.StoreRecovered, LogLevel.Information, "The store '{Path}' takes commits again.")]
    public static partial void StoreRecovered(ILogger logger, string path);

    [LoggerMessage(
        LogEvents.StoreAway,
        LogLevel.Error,
        "The store takes no commits in {Database}: {Reason} Publishes are refused, reads and nodes go on. Look after the database: nothing "
            + "has to be started again here.")]
    public static partial void StoreAway(ILogger logger, string database, string reason);

    [LoggerMessage(
        LogEvents.StandingBy,
        LogLevel.Information,
        "This host stands by: '{Leader}' at '{Endpoint}' leads the cluster in {Database}. It takes over when that host's lease ends.")]
    public static partial void StandingBy(ILogger logger, string leader, string endpoint, string database);

    [LoggerMessage(LogEvents.Leading, LogLevel.Information, "This host leads the cluster in {Database}.")]
    public static partial void Leading(ILogger logger, string database);

    [LoggerMessage(
        LogEvents.LeaseUnknown,
        LogLevel.Error,
        "{Database} does not say who leads: {Reason}. A host that leads refuses calls from the end of its lease on; nodes keep what they "
            + "have. Look after the database: nothing has to be started again here.")]
    public static partial void LeaseUnknown(ILogger logger, string database, string reason);

    [LoggerMessage(LogEvents.LeaseRenewed, LogLevel.Information, "{Database} renews the lease of this host again.")]
    public static partial void LeaseRenewed(ILogger logger, string database);

    [LoggerMessage(
        LogEvents.LeaseLost,
        LogLevel.Warning,
        "Another host leads the cluster in {Database}: this one could not renew its lease in time. It stops, and stands by.")]
    public static partial void LeaseLost(ILogger logger, string database);

    [LoggerMessage(
        LogEvents.TakeoverFailed,
        LogLevel.Error,
        "This host was to lead, and could not: {Reason} It gives the lease back, and stands by again in {PauseMs} ms.")]
    public static partial void TakeoverFailed(ILogger logger, string reason, long pauseMs);

    [LoggerMessage(
        LogEvents.SharingFailed,
        LogLevel.Warning,
        "{Reason} The connection strings of this host name the hosts that were known before.")]
    public static partial void SharingFailed(ILogger logger, string reason);

    [LoggerMessage(
        LogEvents.AuthorityTaken,
        LogLevel.Information,
        "This host is one of the cluster {Cluster} now: its authority was opened with the cluster key, and lies in '{Path}'.")]
    public static partial void AuthorityTaken(ILogger logger, string cluster, string path);

    [LoggerMessage(
        LogEvents.MarkBehind,
        LogLevel.Warning,
        "{Reason} Releases are durable without it, but a copy of the store from now on would not be known as one.")]
    public static partial void MarkBehind(ILogger logger, string reason);

    [LoggerMessage(
        LogEvents.SignerFailed, LogLevel.Critical, "The signing key failed and the host cannot release anything. Start it again.")]
    public static partial void SignerFailed(ILogger logger, Exception exception);

    [LoggerMessage(LogEvents.StopTimedOut, LogLevel.Warning, "Stopping: {Part} took too long and was left behind.")]
    public static partial void StopTimedOut(ILogger logger, string part, Exception exception);

    [LoggerMessage(
        LogEvents.EventsDropped, LogLevel.Warning, "{Count} events were not logged, because they came faster than the log takes them.")]
    public static partial void EventsDropped(ILogger logger, long count);

    [LoggerMessage(
        LogEvents.ClusterCreated,
        LogLevel.Information,
        "The new cluster {Cluster} has its authority in '{Path}'. Keep a copy of this file in a safe place.")]
    public static partial void ClusterCreated(ILogger logger, string cluster, string path);

    [LoggerMessage(LogEvents.CertificateIssued, LogLevel.Information, "The certificate '{Path}' was issued; it ends at {NotAfter}.")]
    public static partial void CertificateIssued(ILogger logger, string path, string notAfter);

    [LoggerMessage(LogEvents.ConnectionWritten, LogLevel.Information, "The connection string of token {TokenId} was written to '{Path}'.")]
    public static partial void ConnectionWritten(ILogger logger, string tokenId, string path);

    [LoggerMessage(LogEvents.ApplicationMade, LogLevel.Information, "The application {Application} was created.")]
    public static partial void ApplicationMade(ILogger logger, string application);

    [LoggerMessage(
        LogEvents.DirectoryOpen,
        LogLevel.Warning,
        "Others than its owner may write into the data directory '{Path}'. Take that right away (chmod 700).")]
    public static partial void DirectoryOpen(ILogger logger, string path);

    [LoggerMessage(LogEvents.StoreDamaged, LogLevel.Error, "{What} It is not given out.")]
    public static partial void StoreDamaged(ILogger logger, string what);

    [LoggerMessage(
        LogEvents.StoreIsCopy,
        LogLevel.Warning,
        "The store '{Path}' is a copy ({Reason}). Every application goes on in generation {Generation}. What was released after the copy "
            + "must be published again; tokens revoked after it are good again: see 'ripple-host restore --help'.")]
    public static partial void StoreIsCopy(ILogger logger, string path, string reason, uint generation);

    [LoggerMessage(LogEvents.Enrolled, LogLevel.Information, "The node {Name} enrols for {Application} by token {TokenId}.")]
    public static partial void Enrolled(ILogger logger, string name, string application, string tokenId);

    [LoggerMessage(LogEvents.EnrollRefused, LogLevel.Warning, "The node {Name} was refused to enrol by token {TokenId}: {Reason}")]
    public static partial void EnrollRefused(ILogger logger, string name, string tokenId, string reason);

    [LoggerMessage(LogEvents.NotAdmitted, LogLevel.Information, "The node {Name} was not let in: {Reason}")]
    public static partial void NotAdmitted(ILogger logger, string name, string reason);

    [LoggerMessage(
        LogEvents.RenewalFailed, LogLevel.Error, "The certificate '{Path}' could not be renewed; it is tried again in an hour.")]
    public static partial void RenewalFailed(ILogger logger, string path, Exception exception);

    [LoggerMessage(
        LogEvents.AuditLost, LogLevel.Error, "{Count} lines of the audit about enrolments and expulsions were not written.")]
    public static partial void AuditLost(ILogger logger, int count, Exception exception);

    [LoggerMessage(
        LogEvents.WrongCredential,
        LogLevel.Warning,
        "A credential that is not good here came to {Door} from {Address}; {Count} since this was last told.")]
    public static partial void WrongCredential(ILogger logger, string door, string address, long count);

    [LoggerMessage(
        LogEvents.SqliteVersion, LogLevel.Information, "The store is kept by SQLite {Version}, made of the source {Source}.")]
    public static partial void SqliteVersion(ILogger logger, string version, string source);

    [LoggerMessage(LogEvents.RequestFailed, LogLevel.Error, "The request {Request} met a fault.")]
    public static partial void RequestFailed(ILogger logger, string request, Exception exception);
}
