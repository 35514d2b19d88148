using System.Collections.Immutable;
using System.Globalization;

namespace Ripple.Gms.Store;

/// <summary>A change of a token. The store appends its audit entry in the same transaction. Immutable.</summary>
internal sealed record AccessTokenChange
{
    private AccessTokenChange(AccessTokenChangeKind kind, string tokenId, long timeUnixMicros, string actor)
    {
        Kind = kind;
        TokenId = tokenId;
        TimeUnixMicros = timeUnixMicros;
        Actor = actor;
    }

    /// <summary>The kind of change.</summary>
    public AccessTokenChangeKind Kind { get; }

    /// <summary>The token's id.</summary>
    public string TokenId { get; }

    /// <summary>The time of the change, in microseconds of Unix time, UTC.</summary>
    public long TimeUnixMicros { get; }

    /// <summary>The actor.</summary>
    public string Actor { get; }

    /// <summary>The new token; null unless one is created.</summary>
    public AccessToken? Created { get; private init; }

    /// <summary>The granted role, or the application whose role is withdrawn; null unless roles change.</summary>
    public AccessTokenGrant? Granted { get; private init; }

    /// <summary>
    /// True if what the token made stays although its right to make it ends with this change: see <see cref="MadeRights"/>.
    /// </summary>
    public bool KeepsMade { get; init; }

    /// <summary>
    /// True if the change is refused where nobody would administer the cluster after it: see <see cref="ClusterAdministrators"/>.
    /// </summary>
    public bool LeavesAdministrator { get; init; }

    /// <summary>The token whose right, now ended, was the origin of what this change ends; null for a change that was ordered.</summary>
    public string? EndedMaker { get; init; }

    /// <summary>The token that orders this change by its own right; null for the host and its command.</summary>
    public string? MadeBy => Created is { } token ? token.MadeBy : Granted?.MadeBy;

    /// <summary>Creates a token.</summary>
    public static AccessTokenChange Create(AccessToken token, string actor)
    {
        return new(AccessTokenChangeKind.Create, token.Id, token.CreatedUnixMicros, actor)
        {
            Created = token.Grants.IsDefault ? token : token with { Grants = Sorted(token.Grants) },
        };
    }

    /// <summary>Revokes a token; no effect if it is already revoked.</summary>
    public static AccessTokenChange Revoke(string id, long timeUnixMicros, string actor) =>
        new(AccessTokenChangeKind.Revoke, id, timeUnixMicros, actor);

    /// <summary>Grants a token a role in an application, replacing its previous one there.</summary>
    public static AccessTokenChange Grant(string id, AccessTokenGrant grant, long timeUnixMicros, string actor) =>
        new(AccessTokenChangeKind.Grant, id, timeUnixMicros, actor) { Granted = grant };

    /// <summary>Withdraws a token's role in an application; no effect if it has none.</summary>
    public static AccessTokenChange Withdraw(string id, string application, long timeUnixMicros, string actor) =>
        new(AccessTokenChangeKind.Withdraw, id, timeUnixMicros, actor) { Granted = new AccessTokenGrant(application, default) };

    /// <summary>Applies this change, which must not be a creation, to a token.</summary>
    public AccessToken Apply(AccessToken token)
    {
        return Kind switch
        {
            AccessTokenChangeKind.Revoke => token with { RevokedUnixMicros = token.RevokedUnixMicros ?? TimeUnixMicros },
            AccessTokenChangeKind.Grant =>
                token with { Grants = Sorted(token.Grants.Where(g => g.Application != Granted!.Value.Application).Append(Granted!.Value)) },
            AccessTokenChangeKind.Withdraw =>
                token with { Grants = Sorted(token.Grants.Where(g => g.Application != Granted!.Value.Application)) },
            _ => throw new InvalidOperationException("A token is created once."),
        };
    }

    /// <summary>The audit entry of this change.</summary>
    public AuditEntry ToAudit() => Kind switch
    {
        // A token for a single application is visible to that application's administrators.
        AccessTokenChangeKind.Create => Entry(
            "token.create",
            Created!.Grants is [{ Application: not AccessTokenGrant.All } only] ? only.Application : null,
            $"{TokenId} {Created.HighestRole} for "
                + $"{Describe([.. Created.Applications])}{(Created.Name.Length > 0 ? $" ({Created.Name})" : "")}"),
        AccessTokenChangeKind.Revoke => Entry("token.revoke", null, TokenId + Why),
        AccessTokenChangeKind.Grant => Entry("role.set", Granted!.Value.Application, $"{TokenId} {Granted.Value.Role}{Why}"),
        _ => Entry("role.remove", Granted!.Value.Application, TokenId + Why),
    };

    /// <summary>Sorts grants into their stored order: ordinal by application name.</summary>
    internal static ImmutableArray<AccessTokenGrant> Sorted(IEnumerable<AccessTokenGrant> grants) =>
        [.. grants.OrderBy(g => g.Application, StringComparer.Ordinal)];

    private string Why => EndedMaker is not null ? $", made by {EndedMaker}" : KeepsMade ? ", what it made stays" : "";

    private AuditEntry Entry(string action, string? application, string detail) =>
        new(TimeUnixMicros, Actor, action, application, null, detail);

    private static string Describe(ImmutableArray<string> applications)
    {
        string names = string.Join(',', applications);
        return names.Length <= StoreLimits.AuditDetailCharsMax / 2
            ? names
            : string.Create(CultureInfo.InvariantCulture, $"{applications.Length} applications");
    }
}

/// <summary>Kinds of token changes.</summary>
internal enum AccessTokenChangeKind
{
    /// <summary>The token is created.</summary>
    Create,

    /// <summary>The token is revoked permanently.</summary>
    Revoke,

    /// <summary>The token gets a role in an application, replacing its previous one there.</summary>
    Grant,

    /// <summary>The token's role in an application is withdrawn.</summary>
    Withdraw,
}
