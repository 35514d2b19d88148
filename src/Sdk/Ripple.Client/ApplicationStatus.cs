namespace Ripple.Client;

/// <summary>Who has what of an application.</summary>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The newest committed release.</param>
/// <param name="Members">Every member the primary knows.</param>
public sealed record ApplicationStatus(uint Generation, ulong Release, IReadOnlyList<MemberStatus> Members);
