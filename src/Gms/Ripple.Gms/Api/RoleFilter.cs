using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>What a route takes. Also its metadata, for the document that lists the routes.</summary>
/// <param name="Role">The role.</param>
/// <param name="Scope">Where.</param>
internal sealed record RoleFilter(TokenRole Role, RoleScope Scope) : IEndpointFilter
{
    /// <summary>In a word, for the document: <c>publisher</c>, <c>admin anywhere</c>, <c>admin of all</c>.</summary>
    public string Text => Role.ToString().ToLowerInvariant() + Scope switch
    {
        RoleScope.Anywhere => " anywhere",
        RoleScope.Cluster => " of all",
        _ => string.Empty,
    };

    public ValueTask<object?> InvokeAsync(EndpointFilterInvocationContext context, EndpointFilterDelegate next)
    {
        var caller = Caller.Of(context.HttpContext);
        if (Scope == RoleScope.Anywhere)
        {
            caller.DemandAnywhere(Role);
        }
        else
        {
            caller.Demand(Scope == RoleScope.Cluster ? TokenGrant.All : (string)context.HttpContext.GetRouteValue("application")!, Role);
        }

        return next(context);
    }
}
