using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>What every route says of itself.</summary>
internal static class RouteRules
{
    /// <summary>The route takes a role; who has it not is refused before anything is read.</summary>
    public static RouteHandlerBuilder Takes(this RouteHandlerBuilder route, TokenRole role, RoleScope scope = RoleScope.Application)
    {
        var filter = new RoleFilter(role, scope);
        route.AddEndpointFilter(filter);
        return route.WithMetadata(filter).ProducesProblem(StatusCodes.Status403Forbidden).ProducesProblem(StatusCodes.Status503ServiceUnavailable);
    }

    /// <summary>The route costs more than a look into memory.</summary>
    public static RouteHandlerBuilder Costs(this RouteHandlerBuilder route, RequestCost cost) => route.WithMetadata(cost);
}
