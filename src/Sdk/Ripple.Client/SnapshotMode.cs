namespace Ripple.Client;

/// <summary>Whether a client keeps what is in effect, and its identity, on disk.</summary>
public enum SnapshotMode
{
    /// <summary>
    /// Keep it where <see cref="RippleClientOptions.SnapshotDirectory"/> says; without a usable directory the client runs without.
    /// </summary>
    On,

    /// <summary>Keep nothing: a restart is a new node, and needs a host.</summary>
    Off,
}
