using Microsoft.AspNetCore.Http;
using Ripple.Admin.Contracts;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>Makes a change by which rights end, and says which: see <see cref="MadeRights"/>.</summary>
internal static class RightsEnding
{
    /// <exception cref="ApiProblemException">
    /// Something would end with it that the caller does not administer. The message names nothing of it.
    /// </exception>
    /// <exception cref="StoreRuleException">Nobody would administer the cluster after it.</exception>
    public static async Task<EndedRights> EndAsync(ApiContext api, HttpContext context, AccessTokenChange ordered, bool isDryRun)
    {
        AccessTokenChange change = ordered with { LeavesAdministrator = true };
        IReadOnlyCollection<AccessToken> all = await api.Tokens.AllAsync(context.RequestAborted).ConfigureAwait(false);
        IReadOnlyList<AccessTokenChange> ended = all.Any(t => t.Id == change.TokenId) ? MadeRights.EndedBy(change, all) : [];
        var caller = ApiCaller.Of(context);
        if (!ended.SelectMany(e => ApplicationsOf(e, all)).All(a => caller.Allows(a, AccessRole.Admin)))
        {
            throw ApiProblemException.NotAllowed(
                $"What the token '{change.TokenId}' made ends with its right, and some of that is of applications that you do not "
                    + "administer. Ask an administrator of the cluster, or let it stay, with keepMade=true.");
        }

        if (ClusterAdministrators.Refuse(change, ended, all) is { } last)
        {
            throw new StoreRuleException(last);
        }

        if (!isDryRun)
        {
            // Judged again by the commit itself, which sees what another did meanwhile.
            await api.Store.CommitAsync(new CommitBatch { Tokens = [change] }).ConfigureAwait(false);
        }

        AccessTokenChange[] named = change.Kind == AccessTokenChangeKind.Grant ? [.. ended] : [change, .. ended];
        return new EndedRights(
            [.. named.Where(e => e.Kind == AccessTokenChangeKind.Revoke).Select(e => e.TokenId)],
            [.. named.Where(e => e.Kind == AccessTokenChangeKind.Withdraw).Select(e => Find(all, e))]);
    }

    private static IEnumerable<string> ApplicationsOf(AccessTokenChange ended, IReadOnlyCollection<AccessToken> all) =>
        ended.Kind == AccessTokenChangeKind.Withdraw
            ? [ended.Granted!.Value.Application]
            : all.First(t => t.Id == ended.TokenId).Applications;

    private static RoleGrant Find(IReadOnlyCollection<AccessToken> all, AccessTokenChange withdrawn) =>
        Mapping.Roles(all.First(t => t.Id == withdrawn.TokenId)).First(r => r.Application == withdrawn.Granted!.Value.Application);
}
