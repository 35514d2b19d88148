namespace Ripple.Admin.Contracts;

/// <summary>A change to a key, by a release or between two releases.</summary>
/// <param name="Key">The key.</param>
/// <param name="Kind">The kind of change.</param>
/// <param name="Before">The value before; null if there was none, or it was not looked up.</param>
/// <param name="After">The value after; null if the key is removed.</param>
public sealed record KeyChangeInfo(string Key, KeyChangeKind Kind, KeyInfo? Before, KeyInfo? After);
