namespace Ripple.Client;

/// <summary>The state of an application at its members.</summary>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The newest committed release.</param>
/// <param name="Members">All members known to the primary.</param>
public sealed record ApplicationStatus(uint Generation, ulong Release, IReadOnlyList<MemberStatus> Members);
