using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Engine.Regions;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Api;

/// <summary>
/// Routes for single nodes. The cluster's administrators revoke any node, those of applications a node that is known to take only theirs.
/// </summary>
internal static class NodeRoutes
{
    public static void Map(RouteGroupBuilder group)
    {
        group.MapGet("/nodes/revoked", ListAsync)
            .WithSummary("The nodes that were revoked and whose certificates may not have ended, by id")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere)
            .TakeCall();
        group.MapDelete("/nodes/{nodeId}", RevokeAsync)
            .WithSummary("Revokes a node's certificate: its session ends, it is not let in again and gets no other certificate for it")
            .RequireRole(AccessRole.Admin, RoleScope.Anywhere)
            .TakeCall();
    }

    private static async Task<Page<RevokedNodeInfo>> ListAsync(
        ApiContext api, HttpContext context, string? cursor = null, int? limit = null)
    {
        var caller = ApiCaller.Of(context);
        IReadOnlyList<RevokedNode> nodes = await api.Store.ReadAsync<IReadOnlyList<RevokedNode>>(
            api.Store.ReadRevokedNodes).ConfigureAwait(false);
        return Paging.After(
            nodes.Where(n => caller.Allows(n.Application ?? AccessTokenGrant.All, AccessRole.Admin)),
            n => n.Node.ToString(),
            cursor,
            Paging.Limit(limit),
            n => new RevokedNodeInfo(n.Node.ToString(), n.Name, Mapping.Time(n.TimeUnixMicros), n.Actor, n.Reason));
    }

    private static async Task<NoContent> RevokeAsync(ApiContext api, HttpContext context, string nodeId, string? reason = null)
    {
        if (!NodeId.TryParse(nodeId, out NodeId node) || node.IsNone)
        {
            throw ApiProblemException.Invalid(
                $"'{ShownText.Line(nodeId)}' is no node's id, which has 32 hexadecimal digits. See the list of an application's nodes.");
        }

        string why = reason ?? string.Empty;
        if (why.Length > StoreLimits.RevokedReasonCharsMax || ShownText.FindHidden(why, allowsLines: false) is not null)
        {
            throw ApiProblemException.Invalid(
                $"The reason is longer than {StoreLimits.RevokedReasonCharsMax} characters or has hidden ones. Give a line of text.");
        }

        var caller = ApiCaller.Of(context);
        (string name, IReadOnlyList<string> applications) = await api.Gateway.MembershipsAsync(node).ConfigureAwait(false);
        if (applications.Count == 0 || !applications.All(a => caller.Allows(a, AccessRole.Admin)))
        {
            // Whether there is such a node elsewhere is not told.
            caller.Demand(AccessTokenGrant.All, AccessRole.Admin);
        }

        var revoked = new RevokedNode(
            node, name, applications is [var only] ? only : null, api.Clock.UnixMicros, caller.Actor, why);
        await api.Store.CommitAsync(new CommitBatch { RevokedNodes = [revoked] }).ConfigureAwait(false);
        return TypedResults.NoContent();
    }
}
