namespace Ripple.Admin.Contracts;

/// <summary>What a release, or the way from one to another, does to a key.</summary>
/// <param name="Key">The key.</param>
/// <param name="Kind">Whether it is added, changed or removed.</param>
/// <param name="Before">The value before; null when there was none, or when it was not looked up.</param>
/// <param name="After">The value after; null when it is removed.</param>
public sealed record KeyChangeInfo(string Key, KeyChangeKind Kind, KeyInfo? Before, KeyInfo? After);
