using System.Collections.Immutable;

namespace Ripple.Gms.Store;

/// <summary>A join token as the store keeps it: never its secret.</summary>
/// <param name="Id">Its id: 1 to 64 of <c>a-z A-Z 0-9 _ -</c>.</param>
/// <param name="SecretHash">SHA-256 of the secret, 32 bytes.</param>
/// <param name="Grants">What it is good for, by application, each once.</param>
/// <param name="CreatedUnixMicros">When it was made, in microseconds of Unix time, UTC.</param>
/// <param name="ExpiresUnixMicros">From when on it is no good; null for never.</param>
/// <param name="RevokedUnixMicros">When it was revoked; null when it was not.</param>
internal sealed record AccessToken(
    string Id,
    ReadOnlyMemory<byte> SecretHash,
    ImmutableArray<AccessTokenGrant> Grants,
    long CreatedUnixMicros,
    long? ExpiresUnixMicros,
    long? RevokedUnixMicros)
{
    /// <summary>A name for people; empty when it has none. Not unique, and nothing is allowed by it.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>The applications it is good for; <c>*</c> among them stands for all.</summary>
    public IEnumerable<string> Applications => Grants.Select(g => g.Application);

    /// <summary>What it is good for at most, anywhere; a node where it is good for nothing.</summary>
    public AccessRole HighestRole => Grants.Select(g => g.Role).DefaultIfEmpty().Max();

    /// <summary>
    /// True when it is good for the role in the application, by its name or by <c>*</c>. Says nothing of revocation and time: see
    /// <see cref="IsGood"/>.
    /// </summary>
    public bool Allows(string application, AccessRole role) =>
        Grants.Any(g => g.Role >= role && (g.Application == application || g.Application == AccessTokenGrant.All));

    /// <summary>What it is good for in the application; null when it does not name it.</summary>
    public AccessRole? RoleIn(string application)
    {
        AccessRole? best = null;
        foreach (AccessTokenGrant grant in Grants.Where(g => g.Application == application || g.Application == AccessTokenGrant.All))
        {
            best = best is null || grant.Role > best ? grant.Role : best;
        }

        return best;
    }

    /// <summary>True while it is neither revoked nor expired.</summary>
    public bool IsGood(long nowUnixMicros) => RevokedUnixMicros is null && (ExpiresUnixMicros is null || ExpiresUnixMicros > nowUnixMicros);
}
