namespace Ripple.Engine.Releases;

/// <summary>
/// What a node keeps of one application on its disk: what is in effect, and the newest it received, which differs while a release is
/// rejected or undecided. With both, the chain position survives a restart and the values in effect do too. Immutable.
/// </summary>
/// <param name="Applied">The state in effect.</param>
/// <param name="Received">The newest state that is here whole; the same object when it is in effect.</param>
internal sealed record ReplicaSnapshot(ApplicationState Applied, ApplicationState Received);
