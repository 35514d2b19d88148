namespace Ripple.Gms.Publishing;

/// <summary>One key of a publish.</summary>
/// <param name="Key">The key.</param>
/// <param name="Value">The new value; null removes the key. Must not be modified afterwards.</param>
internal sealed record PublishInputKey(string Key, ReadOnlyMemory<byte>? Value);
