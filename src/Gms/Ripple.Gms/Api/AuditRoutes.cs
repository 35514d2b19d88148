using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>The route that lists the audit.</summary>
internal static class AuditRoutes
{
    public static void Map(RouteGroupBuilder group) =>
        group.MapGet("/audit", ListAsync)
            .WithSummary("Who did what, newest first; without an application it takes an administrator of the cluster")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere);

    private static async Task<Page<AuditInfo>> ListAsync(
        ApiContext api, HttpContext context, string? application = null, string? cursor = null, int? limit = null)
    {
        ApiCaller.Of(context).Demand(application ?? AccessTokenGrant.All, AccessRole.Admin);
        int count = Paging.Limit(limit);
        long before = Paging.Number<long>(cursor) ?? long.MaxValue;
        IReadOnlyList<AuditRecord> records = await api.Store.ReadAsync<IReadOnlyList<AuditRecord>>(
            done => api.Store.ReadAudit(application, before, count, done)).ConfigureAwait(false);
        return new Page<AuditInfo>(
            [.. records.Select(Mapping.Audit)], records.Count == count ? records[^1].Number.ToString(CultureInfo.InvariantCulture) : null);
    }
}
