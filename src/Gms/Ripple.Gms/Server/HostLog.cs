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
        "The store '{Path}' failed and the host cannot go on. Check the disk's space and health, then start the host again.")]
    public static partial void StoreBroken(ILogger logger, string path);

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

    [LoggerMessage(LogEvents.Enrolled, LogLevel.Information, "The node {Name} enrols for {Application} by token {TokenId}.")]
    public static partial void Enrolled(ILogger logger, string name, string application, string tokenId);

    [LoggerMessage(LogEvents.EnrollRefused, LogLevel.Warning, "The node {Name} was refused to enrol by token {TokenId}: {Reason}")]
    public static partial void EnrollRefused(ILogger logger, string name, string tokenId, string reason);

    [LoggerMessage(LogEvents.NotAdmitted, LogLevel.Information, "The node {Name} was not let in: {Reason}")]
    public static partial void NotAdmitted(ILogger logger, string name, string reason);

    [LoggerMessage(
        LogEvents.RenewalFailed, LogLevel.Error, "The host's certificate '{Path}' could not be renewed; it is tried again in an hour.")]
    public static partial void RenewalFailed(ILogger logger, string path, Exception exception);

    [LoggerMessage(LogEvents.RequestFailed, LogLevel.Error, "The request {Request} met a fault.")]
    public static partial void RequestFailed(ILogger logger, string request, Exception exception);
}
