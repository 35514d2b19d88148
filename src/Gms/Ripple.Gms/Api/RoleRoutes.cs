using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>Routes for roles: which token may read, publish to or administer which application.</summary>
internal static class RoleRoutes
{
    public static void Map(RouteGroupBuilder group)
    {
        group.MapGet("/roles", ListAsync)
            .WithSummary("Who may do what, in the applications the caller administers")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere);
        group.MapPut("/roles/{tokenId}/{application}", SetAsync)
            .WithSummary("Gives a token a role in an application, instead of the one it had there")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere);
        group.MapDelete("/roles/{tokenId}/{application}", RemoveAsync)
            .WithSummary("Takes a token's role in an application away")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere);
    }

    private static async Task<Page<RoleGrant>> ListAsync(
        ApiContext api, HttpContext context, string? application = null, string? cursor = null, int? limit = null)
    {
        var caller = ApiCaller.Of(context);
        if (application is not null)
        {
            caller.Demand(application, AccessRole.Admin);
        }

        long nowMicros = api.Clock.UnixMicros;
        IEnumerable<RoleGrant> roles = (await api.Tokens.AllAsync(context.RequestAborted).ConfigureAwait(false))
            .Where(t => t.IsGood(nowMicros))
            .SelectMany(Mapping.Roles)
            .Where(r => caller.Allows(r.Application, AccessRole.Admin) && (application is null || r.Application == application));
        return Paging.After(roles.OrderBy(Order, StringComparer.Ordinal), Order, cursor, Paging.Limit(limit), r => r);

        static string Order(RoleGrant role) => $"{role.Application} {role.TokenId}";
    }

    private static async Task<RoleGrant> SetAsync(
        ApiContext api, HttpContext context, string tokenId, string application, SetRoleRequest request)
    {
        var caller = ApiCaller.Of(context);
        caller.Demand(application, AccessRole.Admin);
        if (application != AccessTokenGrant.All)
        {
            _ = await api.Gateway.ApplicationAsync(caller.ForCalls, application).ConfigureAwait(false);
        }

        // Adding a role to a token requires administering all of it: otherwise it would be taken out of its owner's control.
        AccessToken token = await TokenRoutes.FindOwnAsync(api, context, tokenId).ConfigureAwait(false);
        if (!token.IsGood(api.Clock.UnixMicros))
        {
            throw ApiProblemException.Invalid(
                $"The token '{tokenId}' is revoked or expired; no role makes it good again. Make a new token.");
        }

        var grant = new AccessTokenGrant(application, (AccessRole)request.Role);
        await api.Store.CommitAsync(
            new CommitBatch
            {
                Tokens = [AccessTokenChange.Grant(token.Id, grant, api.Clock.UnixMicros, caller.Actor)],
            }).ConfigureAwait(false);
        return new RoleGrant(token.Id, application, request.Role);
    }

    private static async Task<NoContent> RemoveAsync(ApiContext api, HttpContext context, string tokenId, string application)
    {
        var caller = ApiCaller.Of(context);
        caller.Demand(application, AccessRole.Admin);
        // Does not reveal whether the token exists elsewhere.
        if (await api.Tokens.FindAsync(tokenId, context.RequestAborted).ConfigureAwait(false) is { } token
            && token.Grants.Any(g => g.Application == application))
        {
            await api.Store.CommitAsync(
                new CommitBatch
                {
                    Tokens = [AccessTokenChange.Withdraw(token.Id, application, api.Clock.UnixMicros, caller.Actor)],
                }).ConfigureAwait(false);
        }

        return TypedResults.NoContent();
    }
}
