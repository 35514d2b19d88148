namespace Ripple.Client;

/// <summary>What a client does when no host can be reached at its start.</summary>
public enum StartupMode
{
    /// <summary>
    /// Start from the verified snapshot on disk, if there is one, as soon as every host was tried, and go on trying to connect. Fail
    /// without one.
    /// </summary>
    UseSnapshot,

    /// <summary>Fail: a snapshot is not enough.</summary>
    FailFast,

    /// <summary>
    /// Do not wait: start at once with the snapshot, or with nothing where there is none, and connect meanwhile. A host that refuses is no
    /// failure of the start either; <see cref="IRippleClient.ConnectionState"/> says so.
    /// </summary>
    Background,
}
