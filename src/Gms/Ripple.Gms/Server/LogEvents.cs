namespace Ripple.Gms.Server;

/// <summary>
/// The ids of what a host logs, in blocks by area. An id that was given is never given again, also when its event is gone. No log line
/// holds a value, a token's secret, a key or a certificate.
/// </summary>
/// <remarks>
/// 1000-1099 the host's life · 1100-1199 its directory and store · 2000-2099 membership and 2100-2199 releases (<see cref="GmsEventKind"/>,
/// told by the core) · 3000-3099 control endpoint and enrolment · 4000-4099 health and instruments.
/// </remarks>
public static class LogEvents
{
    /// <summary>The host takes connections.</summary>
    public const int Started = 1000;

    /// <summary>The host begins to stop.</summary>
    public const int Stopping = 1001;

    /// <summary>The host has stopped.</summary>
    public const int Stopped = 1002;

    /// <summary>The core failed: the host cannot go on.</summary>
    public const int CoreFailed = 1003;

    /// <summary>The store failed: the host cannot go on.</summary>
    public const int StoreBroken = 1004;

    /// <summary>The signing key failed: the host cannot go on.</summary>
    public const int SignerFailed = 1005;

    /// <summary>A part did not stop in time and was left.</summary>
    public const int StopTimedOut = 1006;

    /// <summary>Events were dropped because they came faster than they were logged.</summary>
    public const int EventsDropped = 1007;

    /// <summary>A new cluster was made.</summary>
    public const int ClusterCreated = 1100;

    /// <summary>A certificate was issued or issued again.</summary>
    public const int CertificateIssued = 1101;

    /// <summary>A connection string was written.</summary>
    public const int ConnectionWritten = 1102;

    /// <summary>The application of the options was made.</summary>
    public const int ApplicationMade = 1103;

    /// <summary>Others may write into the data directory.</summary>
    public const int DirectoryOpen = 1104;

    /// <summary>Somebody enrolled a node.</summary>
    public const int Enrolled = 3000;

    /// <summary>An enrolment with a known token was refused.</summary>
    public const int EnrollRefused = 3001;

    /// <summary>A node with a good certificate was not let in.</summary>
    public const int NotAdmitted = 3002;

    /// <summary>The host's TLS certificate could not be renewed.</summary>
    public const int RenewalFailed = 3003;

    /// <summary>A request to the admin API met a fault.</summary>
    public const int RequestFailed = 3004;
}
