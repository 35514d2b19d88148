namespace Ripple.Engine.Frontier;

/// <summary>A node's progress in one application.</summary>
/// <param name="Topic">The application's number.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="Received">The newest release received along with all before it.</param>
/// <param name="Persisted">The newest release on this node's disk along with all before it.</param>
/// <param name="Applied">The newest release whose state is in effect.</param>
internal readonly record struct LevelRow(uint Topic, uint Generation, ulong Received, ulong Persisted, ulong Applied);
