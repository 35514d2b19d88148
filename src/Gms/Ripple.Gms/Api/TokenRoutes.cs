using System.Collections.Immutable;
using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Api;

/// <summary>
/// Routes for tokens. An application's administrators see and create tokens of that application, the cluster's administrators all tokens.
/// </summary>
internal static class TokenRoutes
{
    private const int DaysMax = 3_650;
    private const int ApplicationsMax = 256;

    public static void Map(RouteGroupBuilder group)
    {
        group.MapGet("/tokens", ListAsync)
            .WithSummary("The tokens the caller administers, without secrets, by id")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere)
            .TakeCall();
        group.MapPost("/tokens", CreateAsync)
            .WithSummary("Makes a token; its secret is in this answer and nowhere else")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere)
            .TakeCall();
        group.MapDelete("/tokens/{tokenId}", RevokeAsync)
            .WithSummary("Revokes a token, and what it made unless keepMade: nodes of them are removed; dryRun tells what ends")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere)
            .TakeCall();
    }

    /// <summary>The token, if the caller administers every application it grants access to.</summary>
    public static async Task<AccessToken> FindOwnAsync(ApiContext api, HttpContext context, string tokenId)
    {
        var caller = ApiCaller.Of(context);
        AccessToken? token = await api.Tokens.FindAsync(tokenId, context.RequestAborted).ConfigureAwait(false);
        if (token is not null && token.Grants.Length > 0 && token.Grants.All(g => caller.Allows(g.Application, AccessRole.Admin)))
        {
            return token;
        }

        // Only cluster administrators learn whether an id exists.
        caller.Demand(AccessTokenGrant.All, AccessRole.Admin);
        return token
            ?? throw ApiProblemException.NotFound(
                $"There is no token '{tokenId}'. List the tokens; give the id alone, without the secret.");
    }

    private static async Task<Page<TokenInfo>> ListAsync(ApiContext api, HttpContext context, string? cursor = null, int? limit = null)
    {
        var caller = ApiCaller.Of(context);
        IEnumerable<TokenInfo> visible = (await api.Tokens.AllAsync(context.RequestAborted).ConfigureAwait(false))
            .Select(t => Mapping.Token(t, api.Clock.UnixMicros))
            .Select(t => t with { Roles = [.. t.Roles.Where(r => caller.Allows(r.Application, AccessRole.Admin))] })
            .Where(t => t.Roles.Count > 0 || caller.Allows(AccessTokenGrant.All, AccessRole.Admin));
        return Paging.After(visible.OrderBy(t => t.TokenId, StringComparer.Ordinal), t => t.TokenId, cursor, Paging.Limit(limit), t => t);
    }

    private static async Task<Created<CreatedToken>> CreateAsync(ApiContext api, HttpContext context, CreateTokenRequest request)
    {
        var caller = ApiCaller.Of(context);
        string[] applications = [.. (request.Applications ?? []).Distinct(StringComparer.Ordinal)];
        if (applications.Length is 0 or > ApplicationsMax
            || applications.Any(string.IsNullOrEmpty)
            || (applications.Length > 1 && applications.Contains(AccessTokenGrant.All)))
        {
            throw ApiProblemException.Invalid($"Name 1 to {ApplicationsMax} applications the token is good for, or '*' alone for all.");
        }

        if (request.ExpiresInDays is < 1 or > DaysMax)
        {
            throw ApiProblemException.Invalid(
                $"expiresInDays is {request.ExpiresInDays}; give 1 to {DaysMax}, or nothing for a token without end.");
        }

        string name = request.Name ?? string.Empty;
        if (name.Length > 0 && !TrustText.IsName(name))
        {
            throw ApiProblemException.Invalid($"The name '{name}' is not {TrustText.NameRule}.");
        }

        HostEndpoint endpoint = api.Endpoint();
        if (endpoint.Port == 0)
        {
            throw new ApiProblemException(
                Engine.Protocol.ErrorCode.Busy, "The host is starting, and does not know yet by what it is reached. Try again.");
        }

        foreach (string application in applications)
        {
            caller.Demand(application, AccessRole.Admin);
            if (application != AccessTokenGrant.All)
            {
                _ = await api.Gateway.ApplicationAsync(caller.ForCalls, application).ConfigureAwait(false);
            }
        }

        await CheckCountsAsync(api, caller, applications, context.RequestAborted).ConfigureAwait(false);
        var secret = AccessTokenSecret.New();
        long nowMicros = api.Clock.UnixMicros;
        long? expires = request.ExpiresInDays is { } days ? nowMicros + (days * 86_400_000_000L) : null;
        // A token cannot outlive the one that creates it.
        expires = caller.Token.ExpiresUnixMicros is { } own ? Math.Min(expires ?? own, own) : expires;
        ImmutableArray<AccessTokenGrant> grants = AccessTokenGrant.For(applications, (AccessRole)request.Role, caller.Token.Id);
        var token = new AccessToken(secret.Id, secret.Hash, grants, nowMicros, expires, null)
        {
            Name = name,
            MadeBy = caller.Token.Id,
        };
        await api.Store.CommitAsync(new CommitBatch { Tokens = [AccessTokenChange.Create(token, caller.Actor)] }).ConfigureAwait(false);
        string connection = ConnectionFile.Text(
            [endpoint], api.AuthorityFingerprint, secret, applications is [not AccessTokenGrant.All] ? applications[0] : null);
        return TypedResults.Created(
            string.Create(CultureInfo.InvariantCulture, $"{AdminRoutes.Prefix}/tokens/{token.Id}"),
            new CreatedToken(Mapping.Token(token, nowMicros), connection));
    }

    /// <summary>
    /// Tokens stay in memory, revoked or not, and are read again at every change: an application's administrators make so many.
    /// </summary>
    private static async Task CheckCountsAsync(ApiContext api, ApiCaller caller, string[] applications, CancellationToken cancellationToken)
    {
        if (caller.Allows(AccessTokenGrant.All, AccessRole.Admin))
        {
            return;
        }

        IReadOnlyCollection<AccessToken> all = await api.Tokens.AllAsync(cancellationToken).ConfigureAwait(false);
        foreach (string application in applications)
        {
            if (all.Count(t => t.Grants.Any(g => g.Application == application)) >= api.TokensPerApplicationMax)
            {
                string text = string.Create(
                    CultureInfo.InvariantCulture,
                    $"The application '{application}' has {api.TokensPerApplicationMax} tokens, with those that were revoked, and its "
                        + $"administrators can make no more. Ask an administrator of the cluster, or let nodes share tokens.");
                throw new ApiProblemException(Engine.Protocol.ErrorCode.TooLarge, text);
            }
        }
    }

    private static async Task<EndedRights> RevokeAsync(
        ApiContext api, HttpContext context, string tokenId, bool keepMade = false, bool dryRun = false)
    {
        AccessToken token = await FindOwnAsync(api, context, tokenId).ConfigureAwait(false);
        return token.RevokedUnixMicros is not null
            ? new EndedRights([], [])
            : await RightsEnding.EndAsync(
                api,
                context,
                AccessTokenChange.Revoke(token.Id, api.Clock.UnixMicros, ApiCaller.Of(context).Actor) with { KeepsMade = keepMade },
                dryRun).ConfigureAwait(false);
    }
}
