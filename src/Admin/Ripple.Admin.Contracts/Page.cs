namespace Ripple.Admin.Contracts;

/// <summary>One page of a list.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
/// <param name="Items">The items.</param>
/// <param name="Next">The <c>cursor</c> to pass for the next page; null if this is the last one.</param>
public sealed record Page<T>(IReadOnlyList<T> Items, string? Next);
