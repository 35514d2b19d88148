namespace Ripple.Gms.Store;

/// <summary>What a read found.</summary>
/// <typeparam name="T">What was asked for.</typeparam>
/// <param name="Status">Done, or why not.</param>
/// <param name="Value">The answer; its default when not done, and null where the read says that null means "not there".</param>
/// <param name="Reason">What was wrong and what to do; null when done.</param>
internal readonly record struct ReadResult<T>(StoreStatus Status, T? Value, string? Reason);
