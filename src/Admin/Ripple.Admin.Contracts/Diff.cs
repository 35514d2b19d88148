namespace Ripple.Admin.Contracts;

/// <summary>How the state at one release differs from that at another.</summary>
/// <param name="Application">The application.</param>
/// <param name="From">The release before; 0 is the empty state.</param>
/// <param name="To">The release after.</param>
/// <param name="Changes">The keys that differ.</param>
public sealed record Diff(string Application, ulong From, ulong To, IReadOnlyList<KeyChangeInfo> Changes);
