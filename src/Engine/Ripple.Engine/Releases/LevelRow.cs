namespace Ripple.Engine.Releases;

/// <summary>A node's progress in one application.</summary>
/// <param name="Topic">The application's number.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="Received">The newest release received along with all before it.</param>
/// <param name="Persisted">The newest release on this node's disk along with all before it.</param>
/// <param name="Applied">The newest release whose state is in effect.</param>
internal readonly record struct LevelRow(uint Topic, uint Generation, ulong Received, ulong Persisted, ulong Applied);

/// <summary>A release that a node refused to apply.</summary>
/// <param name="Topic">The application's number.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="Release">The release.</param>
/// <param name="Reason">The reason, in at most 512 bytes.</param>
internal sealed record RejectionRow(uint Topic, uint Generation, ulong Release, string Reason)
{
    /// <summary>The most that a node is told of, in one application; the lowest release is dropped first.</summary>
    internal const int CountMax = 64;

    /// <summary>The longest reason, in UTF-8 bytes.</summary>
    internal const int ReasonBytesMax = 512;
}
