using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>Routes for applications, their keys and values.</summary>
internal static class ApplicationRoutes
{
    public static void Map(RouteGroupBuilder group)
    {
        group.MapGet("/applications", ListAsync)
            .WithSummary("The applications the caller may read, by name")
            .RequireRole(AccessRole.Node, RoleScope.Anywhere);
        group.MapPost("/applications", CreateAsync).WithSummary("Makes an application").RequireRole(AccessRole.Admin, RoleScope.Cluster);
        group.MapGet("/applications/{application}", ReadAsync).WithSummary("One application").RequireRole(AccessRole.Node);
        group.MapGet("/applications/{application}/keys", ListKeysAsync).WithSummary(
            "The keys at a release, in the order of their bytes").LimitAs(RequestCost.Heavy).RequireRole(AccessRole.Node);
        group.MapGet("/applications/{application}/value", ReadValueAsync).WithSummary(
            "The value of a key at a release, byte for byte as published")
            .Produces(StatusCodes.Status200OK, contentType: "application/octet-stream", additionalContentTypes: "application/json")
            .LimitAs(RequestCost.Heavy)
            .RequireRole(AccessRole.Node);
    }

    private static async Task<Page<ApplicationInfo>> ListAsync(
        ApiContext api, HttpContext context, string? cursor = null, int? limit = null)
    {
        var caller = ApiCaller.Of(context);
        IReadOnlyList<ApplicationView> all = await api.Gateway.ApplicationsAsync(caller.ForCalls).ConfigureAwait(false);
        return Paging.After(all, a => a.Name, cursor, Paging.Limit(limit), Mapping.Application);
    }

    private static async Task<Created<ApplicationInfo>> CreateAsync(ApiContext api, HttpContext context, CreateApplicationRequest request)
    {
        Caller caller = ApiCaller.Of(context).ForCalls;
        await api.Gateway.CreateApplicationAsync(caller, request.Name ?? string.Empty).ConfigureAwait(false);
        ApplicationView made = await api.Gateway.ApplicationAsync(caller, request.Name!).ConfigureAwait(false);
        return TypedResults.Created($"{AdminRoutes.Prefix}/applications/{made.Name}", Mapping.Application(made));
    }

    private static async Task<ApplicationInfo> ReadAsync(ApiContext api, HttpContext context, string application) =>
        Mapping.Application(await api.Gateway.ApplicationAsync(ApiCaller.Of(context).ForCalls, application).ConfigureAwait(false));

    private static async Task<Page<KeyInfo>> ListKeysAsync(
        ApiContext api,
        HttpContext context,
        string application,
        ulong? release = null,
        string? prefix = null,
        string? cursor = null,
        int? limit = null)
    {
        int count = Paging.Limit(limit);
        HistoricalState state = await api.Gateway.StateAsync(ApiCaller.Of(context).ForCalls, application, release).ConfigureAwait(false);
        KeyInfo[] items = [.. state.Keys
            .Where(
                k => (prefix is null || k.Key.StartsWith(prefix, StringComparison.Ordinal)) && (cursor is null
                    || KeyOrder.Instance.Compare(k.Key, cursor) > 0))
            .Take(count + 1)
            .Select(k => Mapping.Key(k.Key, k.Value))];
        return new Page<KeyInfo>([.. items.Take(count)], items.Length > count ? items[count - 1].Key : null);
    }

    private static async Task<IResult> ReadValueAsync(
        ApiContext api, HttpContext context, string application, string key, ulong? release = null)
    {
        Caller caller = ApiCaller.Of(context).ForCalls;
        (HistoricalState state, KeyEntry entry, ReadOnlyMemory<byte> bytes) =
            await api.Gateway.ValueAsync(caller, application, key, release).ConfigureAwait(false);
        context.Response.Headers[AdminRoutes.ReleaseHeader] = state.Release.ToString(CultureInfo.InvariantCulture);
        context.Response.Headers[AdminRoutes.GenerationHeader] = state.Generation.ToString(CultureInfo.InvariantCulture);
        context.Response.Headers.ETag = $"\"{entry.Digest}\"";
        return Results.Bytes(bytes, entry.Form == KeyForm.Json ? "application/json" : "application/octet-stream");
    }
}
