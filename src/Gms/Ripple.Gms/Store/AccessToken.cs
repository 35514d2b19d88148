using System.Collections.Immutable;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>An access token as stored: without its secret.</summary>
/// <param name="Id">Its id: 1 to 64 of <c>a-z A-Z 0-9 _ -</c>.</param>
/// <param name="SecretHash">SHA-256 of the secret, 32 bytes.</param>
/// <param name="Grants">Its grants, one per application.</param>
/// <param name="CreatedUnixMicros">When it was created, in microseconds of Unix time, UTC.</param>
/// <param name="ExpiresUnixMicros">When it expires, in microseconds of Unix time, UTC; null for never.</param>
/// <param name="RevokedUnixMicros">When it was revoked, in microseconds of Unix time, UTC; null if it was not.</param>
internal sealed record AccessToken(
    string Id,
    ReadOnlyMemory<byte> SecretHash,
    ImmutableArray<AccessTokenGrant> Grants,
    long CreatedUnixMicros,
    long? ExpiresUnixMicros,
    long? RevokedUnixMicros)
{
    /// <summary>A display name; empty when it has none. Not unique, and grants nothing.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>The id of the token that made it; null for one that the host or its command made, or from before it was kept.</summary>
    public string? MadeBy { get; init; }

    /// <summary>The applications it grants access to; <c>*</c> among them stands for all.</summary>
    public IEnumerable<string> Applications => Grants.Select(g => g.Application);

    /// <summary>Its highest role in any application; a node's when it has no grants.</summary>
    public AccessRole HighestRole => Grants.Select(g => g.Role).DefaultIfEmpty().Max();

    /// <summary>
    /// True if it grants the role in the application, by name or by <c>*</c>; for a companion, the role in its owner that
    /// <see cref="AccessTokenGrant.Needed"/> says. Ignores revocation and expiry: see <see cref="IsGood"/>.
    /// </summary>
    public bool Allows(string application, AccessRole role)
    {
        AccessTokenGrant needed = AccessTokenGrant.Needed(application, role);
        return Grants.Any(g => g.Role >= needed.Role && (g.Application == needed.Application || g.Application == AccessTokenGrant.All));
    }

    /// <summary>True if it may make tokens and roles of the application, its expiry aside.</summary>
    public bool Administers(string application) => RevokedUnixMicros is null && Allows(application, AccessRole.Admin);

    /// <summary>Its highest role in the application, named or as one of all; null when it has none.</summary>
    public AccessRole? RoleIn(string application)
    {
        AccessRole? best = null;
        foreach (AccessTokenGrant grant in Grants.Where(g => g.Application == application || g.Application == AccessTokenGrant.All))
        {
            best = best is null || grant.Role > best ? grant.Role : best;
        }

        return best;
    }

    /// <summary>True while neither revoked nor expired.</summary>
    public bool IsGood(long nowUnixMicros) => RevokedUnixMicros is null && (ExpiresUnixMicros is null || ExpiresUnixMicros > nowUnixMicros);
}

/// <summary>A token's role in an application.</summary>
/// <param name="Application">The application's name; <c>*</c> for all, including future ones.</param>
/// <param name="Role">The role there.</param>
internal readonly record struct AccessTokenGrant(string Application, AccessRole Role)
{
    /// <summary>The name that stands for all applications.</summary>
    public const string All = "*";

    /// <summary>
    /// The id of the token that gave the role; null for one that the host or its command gave, or from before it was kept.
    /// </summary>
    public string? MadeBy { get; init; }

    /// <summary>
    /// The grant that a role in an application takes. What an application says about itself is read by its nodes and changed by its
    /// administrators.
    /// </summary>
    public static AccessTokenGrant Needed(string application, AccessRole role) => CompanionName.OwnerOf(application) is { } owner
        ? new AccessTokenGrant(owner, role == AccessRole.Node ? AccessRole.Node : AccessRole.Admin)
        : new AccessTokenGrant(application, role);

    /// <summary>Grants the same role in several applications.</summary>
    public static ImmutableArray<AccessTokenGrant> For(IEnumerable<string> applications, AccessRole role, string? madeBy = null) =>
        [.. applications.Select(a => new AccessTokenGrant(a, role) { MadeBy = madeBy })];
}

/// <summary>The roles of access tokens, each including the ones before it. The numbers are persisted in stores.</summary>
internal enum AccessRole
{
    /// <summary>May join as a node and read.</summary>
    Node = 0,

    /// <summary>May also publish.</summary>
    Publisher = 1,

    /// <summary>May also administer.</summary>
    Admin = 2,
}
