using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Ripple.Gms.Calls;
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

    /// <summary>
    /// Takes a call from the caller's share. For routes that do not ask the core through <see cref="HostGateway"/>, which takes it there.
    /// </summary>
    public static RouteHandlerBuilder TakeCall(this RouteHandlerBuilder route) => route.AddEndpointFilter(new CallFilter());

    /// <summary>Sets a cost class above the default of a lookup in memory.</summary>
    public static RouteHandlerBuilder LimitAs(this RouteHandlerBuilder route, RequestCost cost) => route.WithMetadata(cost);
}

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
            : throw new ApiProblemException(Authorizer.RevokedOrExpired(id)));
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

/// <summary>Refuses a caller that asks for more than its share.</summary>
internal sealed class CallFilter : IEndpointFilter
{
    public async ValueTask<object?> InvokeAsync(EndpointFilterInvocationContext context, EndpointFilterDelegate next)
    {
        HttpContext http = context.HttpContext;
        ApiContext api = http.RequestServices.GetRequiredService<ApiContext>();
        await api.Gateway.TakeCallAsync(ApiCaller.Of(http).ForCalls).ConfigureAwait(false);
        return await next(context).ConfigureAwait(false);
    }
}

/// <summary>Where a route requires its role.</summary>
internal enum RoleScope
{
    /// <summary>In the application named in the path.</summary>
    Application,

    /// <summary>In at least one application; the route itself shows and changes only what the caller may access.</summary>
    Anywhere,

    /// <summary>Over all applications.</summary>
    Cluster,
}

/// <summary>
/// The cost class of a route, which sets how many of its requests run at once. Each token gets at most half, and the tokens of an
/// application three quarters, so that one caller cannot lock out the others.
/// </summary>
/// <param name="Name">The name of the class.</param>
/// <param name="AtOnceMax">The most requests that run at once.</param>
/// <param name="WaitingMax">The most further requests that wait, with their bodies unread.</param>
/// <param name="BodyBytesMax">The largest request body, in bytes.</param>
internal sealed record RequestCost(string Name, int AtOnceMax, int WaitingMax, long BodyBytesMax) : IRequestSizeLimitMetadata
{
    private const long SmallBytes = 64 * 1024;

    /// <summary>Answered from memory.</summary>
    public static readonly RequestCost Light = new("light", 64, 512, SmallBytes);

    /// <summary>A value, or a past state: up to 16 MiB of memory, and a store read.</summary>
    public static readonly RequestCost Heavy = new("heavy", 16, 256, SmallBytes);

    /// <summary>A publish: room for the largest one in base64 with its envelope.</summary>
    public static readonly RequestCost Change = new("change", 8, 64, 24 * 1024 * 1024);

    /// <summary>A wait, which is a long-running request.</summary>
    public static readonly RequestCost Wait = new("wait", 512, 0, SmallBytes);

    /// <summary>An event, which may wait until it is delivered: 64 KiB in base64 with its envelope.</summary>
    public static readonly RequestCost Emit = new("emit", 256, 256, 2 * SmallBytes);

    /// <summary>The share of a single token: half of each limit.</summary>
    public RequestCost OfOneToken =>
        this with { AtOnceMax = (int)ShareLedger.HalfOf(AtOnceMax), WaitingMax = WaitingMax / 2 };

    /// <summary>The share of the tokens of one application together: three quarters of each limit.</summary>
    public RequestCost OfOneApplication =>
        this with { AtOnceMax = (int)ShareLedger.ThreeQuartersOf(AtOnceMax), WaitingMax = WaitingMax - (WaitingMax / 4) };

    long? IRequestSizeLimitMetadata.MaxRequestBodySize => BodyBytesMax;
}
