using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>The bytes of a value.</summary>
/// <param name="Digest">Their digest.</param>
/// <param name="Bytes">The bytes; must not be modified afterwards.</param>
internal readonly record struct StoredBody(Digest160 Digest, ReadOnlyMemory<byte> Bytes);
