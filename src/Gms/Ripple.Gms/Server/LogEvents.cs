namespace Ripple.Gms.Server;

/// <summary>
/// Ids of the host's log events, in blocks by area. An id is never reused, even after its event is removed. No log line contains a value, a
/// token's secret, a key or a certificate.
/// </summary>
/// <remarks>
/// 1000-1099 the host's lifecycle · 1100-1199 its directory and store · 2000-2099 membership and 2100-2199 releases
/// (<see cref="GmsEventKind"/>, posted by the core) · 3000-3099 control endpoint and enrollment · 4000-4099 health and instruments.
/// </remarks>
public static class LogEvents
{
    /// <summary>The host accepts connections.</summary>
    public const int Started = 1000;

    /// <summary>The host started to stop.</summary>
    public const int Stopping = 1001;

    /// <summary>The host has stopped.</summary>
    public const int Stopped = 1002;

    /// <summary>The core failed: the host cannot continue.</summary>
    public const int CoreFailed = 1003;

    /// <summary>
    /// The store failed, and nobody knows whether the last commits were written: none is taken until its disk works again. Reads go on.
    /// </summary>
    public const int StoreBroken = 1004;

    /// <summary>The signing key failed: the host cannot continue.</summary>
    public const int SignerFailed = 1005;

    /// <summary>A part did not stop in time and was abandoned.</summary>
    public const int StopTimedOut = 1006;

    /// <summary>Events were dropped because they arrived faster than they were logged.</summary>
    public const int EventsDropped = 1007;

    /// <summary>A new cluster was created.</summary>
    public const int ClusterCreated = 1100;

    /// <summary>A certificate was issued or reissued.</summary>
    public const int CertificateIssued = 1101;

    /// <summary>A connection string was written.</summary>
    public const int ConnectionWritten = 1102;

    /// <summary>The application named in the options was created.</summary>
    public const int ApplicationMade = 1103;

    /// <summary>Users other than the owner may write to the data directory.</summary>
    public const int DirectoryOpen = 1104;

    /// <summary>The version of SQLite in use.</summary>
    public const int SqliteVersion = 1107;

    /// <summary>The store was restored from a copy; every application goes on in a new generation.</summary>
    public const int StoreIsCopy = 1105;

    /// <summary>Something in the store is not what was committed.</summary>
    public const int StoreDamaged = 1106;

    /// <summary>The disk of the store is full, or fails before anything is committed: publishes are refused, reads go on.</summary>
    public const int StoreFull = 1108;

    /// <summary>The store takes commits again.</summary>
    public const int StoreRecovered = 1109;

    /// <summary>The mark beside the store could not be written: it is an older one until the disk takes it.</summary>
    public const int MarkBehind = 1110;

    /// <summary>The database of the store is away: publishes are refused, reads go on.</summary>
    public const int StoreAway = 1111;

    /// <summary>Another host leads the cluster; this one waits to take over.</summary>
    public const int StandingBy = 1112;

    /// <summary>This host leads the cluster from now on.</summary>
    public const int Leading = 1113;

    /// <summary>The database does not say who leads. A host that leads answers no calls beyond the end of its lease.</summary>
    public const int LeaseUnknown = 1114;

    /// <summary>The lease was renewed after it could not be for a while.</summary>
    public const int LeaseRenewed = 1115;

    /// <summary>Another host has taken the lease: this one stops, and stands by.</summary>
    public const int LeaseLost = 1116;

    /// <summary>What the hosts of a cluster share could not be read or written.</summary>
    public const int SharingFailed = 1117;

    /// <summary>The authority of the cluster was taken over from its database.</summary>
    public const int AuthorityTaken = 1118;

    /// <summary>This host was to take over and could not open the store; it stands by again.</summary>
    public const int TakeoverFailed = 1119;

    /// <summary>An enrollment was admitted.</summary>
    public const int Enrolled = 3000;

    /// <summary>An enrollment with a known token was refused.</summary>
    public const int EnrollRefused = 3001;

    /// <summary>A node with a good certificate was not admitted.</summary>
    public const int NotAdmitted = 3002;

    /// <summary>The host's TLS certificate or that of its signer could not be renewed.</summary>
    public const int RenewalFailed = 3003;

    /// <summary>Credentials that are not good here were sent to the admin API, to the enrolment or as a node's certificate.</summary>
    public const int WrongCredential = 3005;

    /// <summary>Lines of the audit about enrolments and expulsions were not written.</summary>
    public const int AuditLost = 3006;

    /// <summary>A request to the admin API failed with an internal error.</summary>
    public const int RequestFailed = 3004;
}
