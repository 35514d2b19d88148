using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>Routes for the release history and for differences between states.</summary>
internal static class ReleaseRoutes
{
    public static void Map(RouteGroupBuilder group)
    {
        group.MapGet("/applications/{application}/releases", ListAsync)
            .WithSummary("The releases, newest first")
            .LimitAs(RequestCost.Heavy)
            .RequireRole(AccessRole.Node);
        group.MapGet("/applications/{application}/releases/{release}", ReadAsync).WithSummary("One release").RequireRole(AccessRole.Node);
        group.MapGet("/applications/{application}/diff", DiffAsync).WithSummary(
            "How the state at one release differs from that at another, by keys").LimitAs(RequestCost.Heavy).RequireRole(AccessRole.Node);
    }

    private static async Task<Page<ReleaseInfo>> ListAsync(
        ApiContext api, HttpContext context, string application, string? cursor = null, int? limit = null)
    {
        int count = Paging.Limit(limit);
        ulong before = Paging.Number<ulong>(cursor) ?? ulong.MaxValue;
        Caller caller = ApiCaller.Of(context).ForCalls;
        IReadOnlyList<ReleaseHeader> headers = await api.Gateway.HistoryAsync(caller, application, before, count).ConfigureAwait(false);
        ReleaseInfo[] releases = [.. headers.Select(Mapping.Release)];
        return new Page<ReleaseInfo>(
            releases, releases is [.., { Release: > 1 } last] ? last.Release.ToString(CultureInfo.InvariantCulture) : null);
    }

    private static async Task<ReleaseInfo> ReadAsync(ApiContext api, HttpContext context, string application, ulong release) =>
        Mapping.Release(await api.Gateway.ReleaseAsync(ApiCaller.Of(context).ForCalls, application, release).ConfigureAwait(false));

    private static async Task<Diff> DiffAsync(ApiContext api, HttpContext context, string application, ulong from, ulong? to = null)
    {
        Caller caller = ApiCaller.Of(context).ForCalls;
        HistoricalState before = await api.Gateway.StateAsync(caller, application, from).ConfigureAwait(false);
        HistoricalState after = await api.Gateway.StateAsync(caller, application, to).ConfigureAwait(false);
        return new Diff(application, before.Release, after.Release, Mapping.Changes(before.Keys, after.Keys));
    }
}
