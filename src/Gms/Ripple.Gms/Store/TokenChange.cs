using System.Collections.Immutable;
using System.Globalization;

namespace Ripple.Gms.Store;

/// <summary>A token made or revoked. The store writes the audit entry of it (<c>token.create</c>, <c>token.revoke</c>) in the same transaction.</summary>
/// <param name="TimeUnixMicros">When, in microseconds of Unix time, UTC.</param>
/// <param name="Actor">Who does it.</param>
/// <param name="Created">The new token; null to revoke.</param>
/// <param name="RevokedId">The id of the token to revoke; null to create. One that is revoked already stays as it is.</param>
public sealed record TokenChange(long TimeUnixMicros, string Actor, StoredToken? Created, string? RevokedId)
{
    /// <summary>Makes a token.</summary>
    public static TokenChange Create(StoredToken token, string actor)
    {
        ArgumentNullException.ThrowIfNull(token);
        return new(token.CreatedUnixMicros, actor, token, null);
    }

    /// <summary>Revokes a token.</summary>
    public static TokenChange Revoke(string id, long timeUnixMicros, string actor) => new(timeUnixMicros, actor, null, id);

    /// <summary>The audit entry of this change.</summary>
    public AuditEntry ToAudit() => Created is { } token
        ? new(TimeUnixMicros, Actor, "token.create", null, null, $"{token.Id} {token.Role} for {Describe(token.Applications)}")
        : new(TimeUnixMicros, Actor, "token.revoke", null, null, RevokedId ?? "");

    private static string Describe(ImmutableArray<string> applications)
    {
        string names = string.Join(',', applications);
        return names.Length <= StoreLimits.AuditDetailCharsMax / 2
            ? names
            : string.Create(CultureInfo.InvariantCulture, $"{applications.Length} applications");
    }
}
