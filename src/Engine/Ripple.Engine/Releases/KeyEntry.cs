namespace Ripple.Engine.Releases;

/// <summary>The entry of one key in a state.</summary>
/// <param name="Digest">The digest of the value (<see cref="ContentDigest"/>); identifies its bytes wherever they are stored.</param>
/// <param name="Length">The length of the value in bytes, 0 to <see cref="ReleaseLimits.BodyBytesMax"/>.</param>
/// <param name="Form">How to interpret the value.</param>
internal readonly record struct KeyEntry(Digest160 Digest, int Length, KeyForm Form);
