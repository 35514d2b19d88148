using System.Collections.Immutable;

namespace Ripple.Gms.Store;

/// <summary>A join token as the store keeps it: never its secret.</summary>
/// <param name="Id">Its name: 1 to 64 of <c>a-z A-Z 0-9 _ -</c>.</param>
/// <param name="SecretHash">SHA-256 of the secret, 32 bytes.</param>
/// <param name="Applications">The names of the applications it is good for; the one entry <c>*</c> for all.</param>
/// <param name="Role">What it is good for there.</param>
/// <param name="CreatedUnixMicros">When it was made, in microseconds of Unix time, UTC.</param>
/// <param name="ExpiresUnixMicros">From when on it is no good; null for never.</param>
/// <param name="RevokedUnixMicros">When it was revoked; null when it was not.</param>
public sealed record StoredToken(
    string Id,
    ReadOnlyMemory<byte> SecretHash,
    ImmutableArray<string> Applications,
    TokenRole Role,
    long CreatedUnixMicros,
    long? ExpiresUnixMicros,
    long? RevokedUnixMicros);
