namespace Ripple.Client;

/// <summary>A key at a release.</summary>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The release that was read.</param>
/// <param name="Value">The value, verified against its digest.</param>
public sealed record ReadResult(uint Generation, ulong Release, ReadOnlyMemory<byte> Value);
