using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>Routes that describe the cluster and the caller.</summary>
internal static class ClusterRoutes
{
    public static void Map(RouteGroupBuilder group)
    {
        group.MapGet("/cluster", ReadAsync)
            .WithSummary("The cluster, as this host sees it")
            .RequireRole(AccessRole.Node, RoleScope.Anywhere);
        group.MapGet("/whoami", WhoAmI)
            .WithSummary("Who the caller is, and what it may do")
            .RequireRole(AccessRole.Node, RoleScope.Anywhere)
            .TakeCall();
    }

    private static async Task<ClusterInfo> ReadAsync(ApiContext api, HttpContext context) => new(
        api.ClusterId.ToString(),
        api.HostName,
        typeof(ClusterRoutes).Assembly.GetName().Version?.ToString(3) ?? string.Empty,
        (await api.Gateway.ApplicationsAsync(ApiCaller.Of(context).ForCalls).ConfigureAwait(false)).Count);

    private static Identity WhoAmI(HttpContext context)
    {
        var caller = ApiCaller.Of(context);
        return new Identity(caller.Token.Id, caller.Token.Name, caller.Actor, [.. Mapping.Roles(caller.Token)]);
    }
}
