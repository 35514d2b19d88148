using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>What every route says of itself.</summary>
internal static class RouteRules
{
    /// <summary>The route takes a role; who has it not is refused before anything is read.</summary>
    public static RouteHandlerBuilder RequireRole(this RouteHandlerBuilder route, AccessRole role, RoleScope scope = RoleScope.Application)
    {
        var filter = new RoleFilter(role, scope);
        route.AddEndpointFilter(filter);
        return route.WithMetadata(filter)
            .ProducesProblem(StatusCodes.Status403Forbidden)
            .ProducesProblem(StatusCodes.Status503ServiceUnavailable);
    }

    /// <summary>The route costs more than a look into memory.</summary>
    public static RouteHandlerBuilder LimitAs(this RouteHandlerBuilder route, RequestCost cost) => route.WithMetadata(cost);
}
