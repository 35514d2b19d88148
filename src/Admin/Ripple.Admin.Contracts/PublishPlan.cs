namespace Ripple.Admin.Contracts;

/// <summary>The effect a publish or a rollback would have, as the result of a dry run.</summary>
/// <param name="Application">The application.</param>
/// <param name="BaseRelease">The current newest release, which the changes are relative to.</param>
/// <param name="Changes">The keys that would change.</param>
/// <param name="Nodes">The nodes it would reach: those that receive the application and are present now.</param>
public sealed record PublishPlan(
    string Application, ulong BaseRelease, IReadOnlyList<KeyChangeInfo> Changes, IReadOnlyList<NodeName> Nodes)
{
    /// <summary>
    /// The generation of <see cref="BaseRelease"/>: after a restore the same number may be another release. Null while there
    /// is no release, and from a host that does not tell it.
    /// </summary>
    public uint? BaseGeneration { get; init; }
}
