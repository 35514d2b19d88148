using System.ComponentModel;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Calls;
using Ripple.Gms.Store;
using FrontierSummary = Ripple.Admin.Contracts.Frontier;

namespace Ripple.Gms.Api;

/// <summary>Routes for the progress of nodes.</summary>
internal static class FrontierRoutes
{
    public static void Map(RouteGroupBuilder group)
    {
        group.MapGet("/applications/{application}/nodes", ListAsync)
            .WithSummary("The nodes and how far each is, by name")
            .LimitAs(RequestCost.Heavy)
            .RequireRole(AccessRole.Node);
        group.MapGet("/applications/{application}/frontier", ReadAsync)
            .WithSummary("How many nodes are at which release")
            .LimitAs(RequestCost.Heavy)
            .RequireRole(AccessRole.Node);
    }

    private static async Task<Page<NodeInfo>> ListAsync(
        ApiContext api,
        HttpContext context,
        string application,
        ulong? behind = null,
        [Description("Only nodes in this state: present, silent, left or failed")] string? state = null,
        bool gone = false,
        string? cursor = null,
        int? limit = null)
    {
        int count = Paging.Limit(limit);
        NodeState? wanted = StateOf(state);
        (_, IReadOnlyList<StatusRow> rows) = await api.Gateway.StatusAsync(
            ApiCaller.Of(context).ForCalls, application).ConfigureAwait(false);
        IEnumerable<NodeInfo> nodes = rows.Select(Mapping.Node)
            .Where(n => wanted is null ? gone || n.State is NodeState.Present or NodeState.Silent : n.State == wanted)
            .Where(n => behind is null || n.Applied < behind);
        return Paging.After(nodes.OrderBy(Order, StringComparer.Ordinal), Order, cursor, count, n => n);

        // Names are for display and may repeat; each incarnation is one row.
        static string Order(NodeInfo node) => $"{node.Name}|{node.NodeId}|{node.Incarnation:x16}";
    }

    /// <summary>The state of a word in any case. ASP.NET Core would read the members' names and numbers alone.</summary>
    private static NodeState? StateOf(string? word) => word is null ? null : Enum.GetValues<NodeState>().Where(
        s => s.ToString().Equals(word, StringComparison.OrdinalIgnoreCase)).Cast<NodeState?>().FirstOrDefault()
            ?? throw ApiProblemException.Invalid($"'{word}' is no state of nodes. Write present, silent, left or failed.");

    private static async Task<FrontierSummary> ReadAsync(ApiContext api, HttpContext context, string application)
    {
        Caller caller = ApiCaller.Of(context).ForCalls;
        ApplicationView view = await api.Gateway.ApplicationAsync(caller, application).ConfigureAwait(false);
        (_, IReadOnlyList<StatusRow> all) = await api.Gateway.StatusAsync(caller, application).ConfigureAwait(false);
        StatusRow[] rows = [.. all.Where(r => (NodeState)r.State is NodeState.Present or NodeState.Silent)];
        ulong newest = view.State.Release;
        return new FrontierSummary(
            application,
            view.Generation,
            newest,
            rows.Length,
            rows.Count(r => (NodeState)r.State == NodeState.Silent),
            Count(r => r.Received),
            Count(r => r.Persisted),
            Count(r => r.Applied),
            rows.Count(r => newest > 0 && r.Rejected == newest));

        IReadOnlyList<FrontierCount> Count(Func<StatusRow, ulong> level) =>
            [.. rows.GroupBy(level).OrderByDescending(g => g.Key).Select(g => new FrontierCount(g.Key, g.Count()))];
    }
}
