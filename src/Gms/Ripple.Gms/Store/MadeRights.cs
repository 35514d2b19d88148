namespace Ripple.Gms.Store;

/// <summary>
/// What ends with the right of its maker. A token ends with the token that made it, whose holder knows its secret; a role ends when its
/// maker no longer administers the application it is for. Both go on from what ended. What the host made has no maker, and stays.
/// </summary>
internal static class MadeRights
{
    /// <summary>The changes that follow from a change, in order; empty where the change says that what was made stays.</summary>
    /// <param name="change">A change of a token that exists.</param>
    /// <param name="tokens">All tokens, as they are before the change.</param>
    public static IReadOnlyList<AccessTokenChange> EndedBy(AccessTokenChange change, IReadOnlyCollection<AccessToken> tokens)
    {
        var ended = new List<AccessTokenChange>();
        if (change.KeepsMade || change.Kind == AccessTokenChangeKind.Create)
        {
            return ended;
        }

        var present = new SortedDictionary<string, AccessToken>(tokens.ToDictionary(t => t.Id), StringComparer.Ordinal);
        ILookup<string, string> made = present.Values
            .SelectMany(t => t.Grants.Select(g => g.MadeBy).Append(t.MadeBy).OfType<string>().Distinct().Select(m => (Maker: m, t.Id)))
            .ToLookup(m => m.Maker, m => m.Id, StringComparer.Ordinal);
        // Each change ends a token or a role that was there, so there are no more of them than of those.
        for (int next = -1; next < ended.Count; next++)
        {
            AccessTokenChange cause = next < 0 ? change : ended[next];
            AccessToken before = present[cause.TokenId];
            AccessToken after = cause.Apply(before);
            present[cause.TokenId] = after;
            foreach (string id in made[cause.TokenId])
            {
                ended.AddRange(Ended(before, after, present[id], change));
            }
        }

        return ended;
    }

    /// <summary>Why a token may not make what a change makes; null if it may.</summary>
    /// <param name="change">The change.</param>
    /// <param name="find">Finds a token as it is now; null if there is none.</param>
    public static string? Refuse(AccessTokenChange change, Func<string, AccessToken?> find)
    {
        if (change.MadeBy is not { } id)
        {
            return null;
        }

        AccessToken? maker = find(id);
        IEnumerable<string> applications = change.Created?.Applications ?? [change.Granted!.Value.Application];
        return applications.FirstOrDefault(a => maker?.Administers(a) != true) is not { } application
            ? null
            : $"The token '{id}' was revoked or administers '{application}' no more: it makes nothing there. Use another.";
    }

    private static IEnumerable<AccessTokenChange> Ended(AccessToken before, AccessToken after, AccessToken made, AccessTokenChange ordered)
    {
        if (made.RevokedUnixMicros is not null)
        {
            return [];
        }

        if (made.MadeBy == before.Id && before.RevokedUnixMicros is null && after.RevokedUnixMicros is not null)
        {
            return [AccessTokenChange.Revoke(made.Id, ordered.TimeUnixMicros, ordered.Actor) with { EndedMaker = before.Id }];
        }

        return made.Grants
            .Where(g => g.MadeBy == before.Id && before.Administers(g.Application) && !after.Administers(g.Application))
            .Select(g => AccessTokenChange.Withdraw(made.Id, g.Application, ordered.TimeUnixMicros, ordered.Actor) with
            {
                EndedMaker = before.Id,
            });
    }
}
