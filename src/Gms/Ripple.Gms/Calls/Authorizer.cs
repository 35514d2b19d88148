using Ripple.Engine.Protocol;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>
/// Whether a caller may do what it asks for, and where. Every call is judged here first; a host that is not the primary of the application
/// will say so here. Core thread.
/// </summary>
internal sealed class Authorizer(AccessTokenTable tokens, ApplicationTable applications, IWallClock clock)
{
    /// <summary>What a token without the role is told, whichever way it came.</summary>
    /// <param name="tokenId">The token.</param>
    /// <param name="application">The application, or <see cref="AccessTokenGrant.All"/>.</param>
    /// <param name="role">The role it takes.</param>
    public static Refusal NotAllowed(string tokenId, string application, AccessRole role)
    {
        string where = application == AccessTokenGrant.All ? "over all applications (*)" : $"in '{application}'";
        string word = role.ToString().ToLowerInvariant();
        return new Refusal(
            ErrorCode.NotAllowed,
            $"The token {tokenId} does not allow this: it takes the role {word} {where}. Ask an administrator to set it.");
    }

    /// <summary>What a token that ended is told.</summary>
    public static Refusal NoLongerGood(string tokenId) =>
        new(ErrorCode.NotAllowed, $"The token {tokenId} was revoked, or its time ended. Ask an administrator for another.");

    /// <summary>
    /// Null when the caller has the role in the application (<see cref="AccessTokenGrant.All"/> for the cluster), else why not.
    /// </summary>
    public Refusal? Judge(Caller caller, string application, AccessRole role)
    {
        AccessToken? token = tokens.Of(caller);
        return token is null || !token.Allows(application, role)
            ? NotAllowed(caller.TokenId, application, role)
            : token.IsGood(clock.UnixMicros) ? null : NoLongerGood(caller.TokenId);
    }

    /// <summary>The application, when it is there and the caller has the role in it; else null, and why not.</summary>
    public ApplicationPrimary? Find(Caller caller, string application, AccessRole role, out Refusal? refusal)
    {
        refusal = Judge(caller, application, role);
        if (refusal is not null)
        {
            return null;
        }

        ApplicationPrimary? primary = applications.Find(application);
        refusal = primary is not null
            ? null
            : new Refusal(
                ErrorCode.UnknownApplication, $"There is no application '{application}'. Create it first, or look for a typing error.");
        return primary;
    }
}
