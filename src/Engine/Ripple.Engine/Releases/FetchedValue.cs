namespace Ripple.Engine.Releases;

/// <summary>What came of fetching a value.</summary>
/// <param name="Bytes">The value, verified; null when it is not to be had now.</param>
/// <param name="Refusal">Why what came was refused; null when nothing came, or all is well.</param>
internal readonly record struct FetchedValue(ReadOnlyMemory<byte>? Bytes, string? Refusal = null);
