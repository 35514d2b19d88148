namespace Ripple.Gms.Store;

/// <summary>
/// A cluster has an administrator: who comes through the admin API does not end the last one. The host's command may, for whoever may run
/// it can make another at any time.
/// </summary>
internal static class ClusterAdministrators
{
    /// <summary>Why a change may not be made, because nobody would administer the cluster after it; null if it may.</summary>
    /// <param name="change">A change of a token that exists, or the creation of one.</param>
    /// <param name="ended">What follows from it: see <see cref="MadeRights.EndedBy"/>.</param>
    /// <param name="tokens">All tokens, as they are before the change.</param>
    public static string? Refuse(
        AccessTokenChange change, IReadOnlyList<AccessTokenChange> ended, IReadOnlyCollection<AccessToken> tokens)
    {
        // Where there is none already, no change takes the last one away.
        if (!change.LeavesAdministrator
            || change.Kind == AccessTokenChangeKind.Create
            || !tokens.Any(t => IsOne(t, change))
            || IsLeft([change, .. ended], tokens))
        {
            return null;
        }

        string made = IsLeft([change], tokens) ? ", apart from what it made. Let that stay, with keepMade=true, or give" : ". Give";
        return $"The token '{change.TokenId}' is the last that administers the cluster{made} another the role admin over '*' first. "
            + "On the host's machine 'ripple-host token create' makes one.";
    }

    private static bool IsLeft(IReadOnlyList<AccessTokenChange> changes, IReadOnlyCollection<AccessToken> tokens)
    {
        ILookup<string, AccessTokenChange> byToken = changes.ToLookup(c => c.TokenId, StringComparer.Ordinal);
        return tokens.Any(t => IsOne(byToken[t.Id].Aggregate(t, (token, each) => each.Apply(token)), changes[0]));
    }

    /// <summary>A token that is revoked or expired administers nothing.</summary>
    private static bool IsOne(AccessToken token, AccessTokenChange at) =>
        token.IsGood(at.TimeUnixMicros) && token.Allows(AccessTokenGrant.All, AccessRole.Admin);
}
