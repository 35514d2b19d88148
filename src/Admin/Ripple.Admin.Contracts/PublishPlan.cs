namespace Ripple.Admin.Contracts;

/// <summary>What a publish or a rollback would do, if it were not a dry run.</summary>
/// <param name="Application">The application.</param>
/// <param name="BaseRelease">The newest release now: the one the changes are against.</param>
/// <param name="Changes">The keys that would change.</param>
/// <param name="Nodes">The nodes it would reach: those that want the application and are there now.</param>
public sealed record PublishPlan(
    string Application, ulong BaseRelease, IReadOnlyList<KeyChangeInfo> Changes, IReadOnlyList<NodeName> Nodes);
