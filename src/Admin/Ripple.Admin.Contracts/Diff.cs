namespace Ripple.Admin.Contracts;

/// <summary>The difference between the states at two releases.</summary>
/// <param name="Application">The application.</param>
/// <param name="From">The earlier release; 0 is the empty state.</param>
/// <param name="To">The later release.</param>
/// <param name="Changes">The keys that differ.</param>
public sealed record Diff(string Application, ulong From, ulong To, IReadOnlyList<KeyChangeInfo> Changes);
