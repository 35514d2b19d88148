using Ripple.Engine.Frontier;

namespace Ripple.Client.Snapshots;

/// <summary>One application's saved data as read from disk, not yet verified. Immutable.</summary>
/// <param name="Authority">The authority's certificate, to be compared with the pinned fingerprint.</param>
/// <param name="Applied">The state accepted last; null if there was none.</param>
/// <param name="Received">The newest state received; the same object as <paramref name="Applied"/> if that was accepted.</param>
/// <param name="Rejections">What was rejected, oldest first; not signed by anybody.</param>
internal sealed record Snapshot(
    ReadOnlyMemory<byte> Authority, SnapshotState? Applied, SnapshotState Received, IReadOnlyList<RejectionRow> Rejections);
