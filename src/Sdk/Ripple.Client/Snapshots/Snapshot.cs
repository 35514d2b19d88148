namespace Ripple.Client.Snapshots;

/// <summary>What is on disk of one application, as it was read: nothing in it is believed yet. Immutable.</summary>
/// <param name="Authority">The authority's certificate, to be compared with the pinned fingerprint.</param>
/// <param name="Applied">What was in effect; null when nothing was.</param>
/// <param name="Received">The newest that was received; the same object when it was in effect.</param>
internal sealed record Snapshot(ReadOnlyMemory<byte> Authority, SnapshotState? Applied, SnapshotState Received);
