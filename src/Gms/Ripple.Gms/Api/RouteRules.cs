using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>Conventions that every route declares.</summary>
internal static class RouteRules
{
    /// <summary>Requires a role; callers without it are refused before the body is read.</summary>
    public static RouteHandlerBuilder RequireRole(this RouteHandlerBuilder route, AccessRole role, RoleScope scope = RoleScope.Application)
    {
        var filter = new RoleFilter(role, scope);
        route.AddEndpointFilter(filter);
        return route.WithMetadata(filter)
            .ProducesProblem(StatusCodes.Status403Forbidden)
            .ProducesProblem(StatusCodes.Status503ServiceUnavailable);
    }

    /// <summary>Sets a cost class above the default of a lookup in memory.</summary>
    public static RouteHandlerBuilder LimitAs(this RouteHandlerBuilder route, RequestCost cost) => route.WithMetadata(cost);
}
