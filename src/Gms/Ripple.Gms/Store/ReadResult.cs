namespace Ripple.Gms.Store;

/// <summary>The result of a read.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
/// <param name="Status">The status.</param>
/// <param name="Value">The value; the default when not done, and null where the read defines null as "not found".</param>
/// <param name="Reason">The problem and the remedy; null when done.</param>
internal readonly record struct ReadResult<T>(StoreStatus Status, T? Value, string? Reason);
