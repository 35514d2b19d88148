namespace Ripple.Engine.Releases;

/// <summary>One changed key of a release. The value's bytes are stored elsewhere, by digest.</summary>
/// <param name="Key">The key; see <see cref="ReleaseNames.CheckKey"/>.</param>
/// <param name="Operation">Whether the key is set or removed.</param>
/// <param name="Form">How to interpret the new value; <see cref="KeyForm.Bytes"/> for a removal.</param>
/// <param name="Length">The length of the new value in bytes; 0 for a removal.</param>
/// <param name="Digest">The digest of the new value; zero for a removal, and only then.</param>
internal sealed record KeyChange(string Key, KeyOperation Operation, KeyForm Form, int Length, Digest160 Digest)
{
    /// <summary>A change that sets a key to the value with this digest and length.</summary>
    public static KeyChange Set(string key, KeyForm form, int length, Digest160 digest) => new(key, KeyOperation.Set, form, length, digest);

    /// <summary>A change that sets a key to this value; computes the digest.</summary>
    public static KeyChange Set(string key, KeyForm form, ReadOnlySpan<byte> value) =>
        new(key, KeyOperation.Set, form, value.Length, ContentDigest.Compute(value));

    /// <summary>A change that removes a key.</summary>
    public static KeyChange Remove(string key) => new(key, KeyOperation.Remove, KeyForm.Bytes, 0, default);

    /// <summary>The key's entry in the state after this change; meaningless for a removal.</summary>
    public KeyEntry Entry => new(Digest, Length, Form);
}

/// <summary>What a release does to one key. The numbers are part of every stored header.</summary>
internal enum KeyOperation
{
    /// <summary>The key is set to a new value.</summary>
    Set = 0,

    /// <summary>The key is removed.</summary>
    Remove = 1,
}

/// <summary>How to interpret a value. The numbers are part of every stored header.</summary>
internal enum KeyForm
{
    /// <summary>Any bytes; never interpreted.</summary>
    Bytes = 0,

    /// <summary>A JSON document that .NET's configuration accepts; kept byte for byte, including comments and order.</summary>
    Json = 1,
}

/// <summary>The entry of one key in a state.</summary>
/// <param name="Digest">The digest of the value (<see cref="ContentDigest"/>); identifies its bytes wherever they are stored.</param>
/// <param name="Length">The length of the value in bytes, 0 to <see cref="ReleaseLimits.BodyBytesMax"/>.</param>
/// <param name="Form">How to interpret the value.</param>
internal readonly record struct KeyEntry(Digest160 Digest, int Length, KeyForm Form);
