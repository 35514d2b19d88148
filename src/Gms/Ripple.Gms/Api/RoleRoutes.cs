using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
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
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere)
            .TakeCall();
        group.MapPut("/roles/{tokenId}/{application}", SetAsync)
            .WithSummary("Gives a token a role in an application, instead of the one there; a lower one ends what it made unless keepMade")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere)
            .TakeCall();
        group.MapDelete("/roles/{tokenId}/{application}", RemoveAsync)
            .WithSummary("Takes a token's role in an application away, with what was made by it unless keepMade; dryRun tells what ends")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere)
            .TakeCall();
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
        ApiContext api, HttpContext context, string tokenId, string application, SetRoleRequest request,
        bool keepMade = false, bool outlives = false)
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

        // As a token cannot outlive its maker, a role cannot outlive its giver, unless one who administers the cluster says so.
        bool isCluster = caller.Allows(AccessTokenGrant.All, AccessRole.Admin);
        if (!(isCluster && outlives)
            && caller.Token.ExpiresUnixMicros is { } own
            && (token.ExpiresUnixMicros is not { } its || its > own))
        {
            throw ApiProblemException.NotAllowed(
                $"The token '{tokenId}' lives longer than yours, and would keep the role when yours has ended. "
                    + (isCluster
                        ? "If that is meant, say so with outlives=true."
                        : "Make a new token, which ends with yours, or ask an administrator of the cluster."));
        }

        var grant = new AccessTokenGrant(application, (AccessRole)request.Role) { MadeBy = caller.Token.Id };
        await RightsEnding.EndAsync(
            api,
            context,
            AccessTokenChange.Grant(token.Id, grant, api.Clock.UnixMicros, caller.Actor) with { KeepsMade = keepMade },
            isDryRun: false).ConfigureAwait(false);
        return new RoleGrant(token.Id, application, request.Role) { MadeBy = caller.Token.Id };
    }

    private static async Task<EndedRights> RemoveAsync(
        ApiContext api, HttpContext context, string tokenId, string application, bool keepMade = false, bool dryRun = false)
    {
        var caller = ApiCaller.Of(context);
        caller.Demand(application, AccessRole.Admin);
        // Does not reveal whether the token exists elsewhere.
        return await api.Tokens.FindAsync(tokenId, context.RequestAborted).ConfigureAwait(false) is { } token
            && token.Grants.Any(g => g.Application == application)
            ? await RightsEnding.EndAsync(
                api,
                context,
                AccessTokenChange.Withdraw(token.Id, application, api.Clock.UnixMicros, caller.Actor) with { KeepsMade = keepMade },
                dryRun).ConfigureAwait(false)
            : new EndedRights([], []);
    }
}
