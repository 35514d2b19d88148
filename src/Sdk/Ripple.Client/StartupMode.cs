namespace Ripple.Client;

/// <summary>
/// How a client starts when no host can be reached. One that rejects the newest release, and has never accepted one, asks a host for the
/// release that most members have in effect, and then for those before the newest, eight at most. If it accepts none of them either, it has
/// nothing to start from: it fails with what it looked at and why, and starts without a release in <see cref="Background"/>.
/// </summary>
public enum StartupMode
{
    /// <summary>
    /// Start from the verified snapshot on disk, if there is one, as soon as every host has been tried, and keep trying to connect. Fail if
    /// there is none.
    /// </summary>
    UseSnapshot,

    /// <summary>Fail, even if there is a snapshot.</summary>
    FailFast,

    /// <summary>
    /// Do not wait: start at once from the snapshot, or empty if there is none, and connect in the background. A refusal by a host does not
    /// fail the start either; it shows in <see cref="IRippleClient.ConnectionState"/>.
    /// </summary>
    Background,
}
