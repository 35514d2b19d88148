namespace Ripple.Engine.Releases;

/// <summary>What a state says of one key.</summary>
/// <param name="Digest">The digest of the value (<see cref="ContentDigest"/>); names its bytes wherever they are kept.</param>
/// <param name="Length">The length of the value in bytes, 0 to <see cref="ReleaseLimits.BodyBytesMax"/>.</param>
/// <param name="Form">How the value is meant to be read.</param>
internal readonly record struct KeyEntry(Digest160 Digest, int Length, KeyForm Form);
