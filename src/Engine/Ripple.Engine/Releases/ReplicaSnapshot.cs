namespace Ripple.Engine.Releases;

/// <summary>
/// The state of one application that a node keeps on disk: the state in effect, and the newest received one, which differs while a release
/// is rejected or undecided. With both, the chain position and the values in effect survive a restart. Immutable.
/// </summary>
/// <param name="Applied">The state in effect.</param>
/// <param name="Received">The newest completely received state; the same object when it is in effect.</param>
internal sealed record ReplicaSnapshot(ApplicationState Applied, ApplicationState Received);
