namespace Ripple.Admin.Contracts;

/// <summary>Some of the items.</summary>
/// <typeparam name="T">The items.</typeparam>
/// <param name="Items">Them.</param>
/// <param name="Next">To be given as <c>cursor</c> for the items after these; null when these were the last.</param>
public sealed record Page<T>(IReadOnlyList<T> Items, string? Next);
