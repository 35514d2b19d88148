namespace Ripple.Client;

/// <summary>Whether a client saves the state in effect and its identity to disk.</summary>
public enum SnapshotMode
{
    /// <summary>
    /// Save to the directory given by <see cref="RippleClientOptions.SnapshotDirectory"/>; if no directory is usable, the client runs
    /// without snapshots.
    /// </summary>
    On,

    /// <summary>Save nothing: after a restart the process is a new node and needs a host.</summary>
    Off,
}
