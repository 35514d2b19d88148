using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Gms.Regions;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>
/// Routes for the regions of this host. They name nodes of every application, so they take an administrator of the cluster.
/// </summary>
internal static class RegionRoutes
{
    public static void Map(RouteGroupBuilder group)
    {
        group.MapGet("/regions", ListAsync)
            .WithSummary("The regions of this host by name, without their parts")
            .LimitAs(RequestCost.Heavy)
            .RequireRole(AccessRole.Admin, RoleScope.Cluster);
        group.MapGet("/regions/{name}", ReadAsync)
            .WithSummary("One region with the parts of its view, by its name or as much of it as no other has")
            .RequireRole(AccessRole.Admin, RoleScope.Cluster);
    }

    private static async Task<Page<RegionInfo>> ListAsync(
        ApiContext api, HttpContext context, string? cursor = null, int? limit = null)
    {
        int count = Paging.Limit(limit);
        ulong? after = cursor is null ? null
            : cursor.Length == RegionStatus.NameDigits && RegionStatus.TryParseName(cursor, out ulong last, out _) ? last
            : throw ApiProblemException.Invalid($"The cursor '{cursor}' is not one of a page before. Begin without one.");
        // One more than a page, which says whether there is another.
        IReadOnlyList<RegionStatus> regions = await api.Gateway.RegionsAsync(
            ApiCaller.Of(context).ForCalls, after, count + 1).ConfigureAwait(false);
        return Paging.After(regions, r => r.Name, null, count, r => Mapping.Region(r, hasParts: false));
    }

    private static async Task<RegionInfo> ReadAsync(ApiContext api, HttpContext context, string name) => Mapping.Region(
        await api.Gateway.RegionAsync(ApiCaller.Of(context).ForCalls, name).ConfigureAwait(false), hasParts: true);
}
