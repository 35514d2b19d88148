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
    /// <summary>The most applications an error names.</summary>
    private const int NamedMax = 10;

    public static void Map(RouteGroupBuilder group) =>
        group.MapGet("/audit", ListAsync)
            .WithSummary("Who did what, newest first; of all, or of the one application that the caller administers, if none is named")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere)
            .TakeCall();

    private static async Task<Page<AuditInfo>> ListAsync(
        ApiContext api, HttpContext context, string? application = null, string? cursor = null, int? limit = null)
    {
        application = Visible(ApiCaller.Of(context), application);
        int count = Paging.Limit(limit);
        long before = Paging.Number<long>(cursor) ?? long.MaxValue;
        IReadOnlyList<AuditRecord> records = await api.Store.ReadAsync<IReadOnlyList<AuditRecord>>(
            done => api.Store.ReadAudit(application, before, count, done)).ConfigureAwait(false);
        return new Page<AuditInfo>(
            [.. records.Select(Mapping.Audit)], records.Count == count ? records[^1].Number.ToString(CultureInfo.InvariantCulture) : null);
    }

    /// <summary>The application whose audit is shown; null for all.</summary>
    private static string? Visible(ApiCaller caller, string? application)
    {
        if (application is not null || caller.Allows(AccessTokenGrant.All, AccessRole.Admin))
        {
            caller.Demand(application ?? AccessTokenGrant.All, AccessRole.Admin);
            return application;
        }

        string[] own = [.. caller.Token.Grants.Where(g => g.Role == AccessRole.Admin).Select(g => g.Application)];
        if (own is [string only])
        {
            return only;
        }

        string names = string.Join("', '", own.Take(NamedMax));
        throw ApiProblemException.NotAllowed(
            $"The token {caller.Token.Id} administers several applications: say of which one ('{names}'"
                + $"{(own.Length > NamedMax ? " and others" : "")}). The audit of all takes an administrator of the cluster.");
    }
}
