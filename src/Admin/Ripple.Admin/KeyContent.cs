namespace Ripple.Admin;

/// <summary>The value of a key at a release.</summary>
/// <param name="Key">The key.</param>
/// <param name="Generation">The generation of the release.</param>
/// <param name="Release">The release.</param>
/// <param name="Bytes">The bytes, as published.</param>
public sealed record KeyContent(string Key, uint Generation, ulong Release, ReadOnlyMemory<byte> Bytes);
