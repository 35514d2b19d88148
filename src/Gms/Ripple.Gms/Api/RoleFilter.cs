using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Ripple.Gms.Calls;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>
/// The role that a route requires. Checked twice: before the body is read, so that a caller without the role cannot make the host read one,
/// and again afterwards against the current token, because reading a body takes time. Also route metadata, which the OpenAPI document
/// shows.
/// </summary>
/// <param name="Role">The role.</param>
/// <param name="Scope">Where the role must be held.</param>
internal sealed record RoleFilter(AccessRole Role, RoleScope Scope) : IEndpointFilter
{
    /// <summary>A short form for the OpenAPI document: <c>publisher</c>, <c>admin anywhere</c>, <c>admin of all</c>.</summary>
    public string Text => Role.ToString().ToLowerInvariant() + Scope switch
    {
        RoleScope.Anywhere => " anywhere",
        RoleScope.Cluster => " of all",
        _ => string.Empty,
    };

    /// <summary>Middleware that checks the role before the body is read.</summary>
    public static Task JudgeAsync(HttpContext context, RequestDelegate next)
    {
        context.GetEndpoint()?.Metadata.GetMetadata<RoleFilter>()?.Judge(context);
        return next(context);
    }

    public async ValueTask<object?> InvokeAsync(EndpointFilterInvocationContext context, EndpointFilterDelegate next)
    {
        HttpContext http = context.HttpContext;
        ApiContext api = http.RequestServices.GetRequiredService<ApiContext>();
        string id = ApiCaller.Of(http).Token.Id;
        (AccessToken? token, long version) = await api.Tokens.ReadAsync(id, http.RequestAborted).ConfigureAwait(false);
        http.Features.Set(token is not null && token.IsGood(api.Clock.UnixMicros)
            ? new ApiCaller(token, version)
            : throw new ApiProblemException(Authorizer.NoLongerGood(id)));
        Judge(http);
        return await next(context).ConfigureAwait(false);
    }

    private void Judge(HttpContext context)
    {
        var caller = ApiCaller.Of(context);
        if (Scope == RoleScope.Anywhere)
        {
            caller.DemandAnywhere(Role);
        }
        else
        {
            caller.Demand(Scope == RoleScope.Cluster ? AccessTokenGrant.All : (string)context.GetRouteValue("application")!, Role);
        }
    }
}
