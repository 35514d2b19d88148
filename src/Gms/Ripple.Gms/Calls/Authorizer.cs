using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>Decides whether a caller may do what it asks for, and where. Every call is checked here first. Core thread.</summary>
internal sealed class Authorizer(AccessTokenTable tokens, ApplicationTable applications, HostContext context)
{
    /// <summary>The refusal for a token without the role, on either interface.</summary>
    /// <param name="tokenId">The token.</param>
    /// <param name="application">The application, or <see cref="AccessTokenGrant.All"/>.</param>
    /// <param name="role">The required role.</param>
    public static Refusal NotAllowed(string tokenId, string application, AccessRole role)
    {
        AccessTokenGrant needed = AccessTokenGrant.Needed(application, role);
        string where = application == AccessTokenGrant.All ? "over all applications (*)" : $"in '{needed.Application}'";
        string word = needed.Role.ToString().ToLowerInvariant();
        return new Refusal(
            ErrorCode.NotAllowed,
            $"The token {tokenId} does not allow this: it takes the role {word} {where}. Ask an administrator to set it.");
    }

    /// <summary>The refusal for a revoked or expired token.</summary>
    public static Refusal RevokedOrExpired(string tokenId) =>
        new(ErrorCode.NotAllowed, $"The token {tokenId} was revoked, or its time ended. Ask an administrator for another.");

    /// <summary>
    /// Null if the caller has the role in the application (<see cref="AccessTokenGrant.All"/> for the cluster), and this host is sure that
    /// it leads; else the refusal.
    /// </summary>
    public Refusal? Judge(Caller caller, string application, AccessRole role)
    {
        AccessToken? token = tokens.Of(caller);
        return token is null || !token.Allows(application, role)
            ? NotAllowed(caller.TokenId, application, role)
            : token.IsGood(context.Clock.UnixMicros) ? context.RefuseUnsure() : RevokedOrExpired(caller.TokenId);
    }

    /// <summary>The application if it exists and the caller has the role in it, else null with the refusal.</summary>
    public ApplicationPrimary? Find(Caller caller, string application, AccessRole role, out Refusal? refusal)
    {
        refusal = Judge(caller, application, role);
        if (refusal is not null)
        {
            return null;
        }

        ApplicationPrimary? primary = applications.Find(application);
        refusal = primary is null ? Unknown(application) : null;
        return primary;
    }

    /// <summary>
    /// Null if the caller may publish to the application, which exists, or is the companion of one that does; else the refusal.
    /// </summary>
    /// <param name="caller">Who publishes.</param>
    /// <param name="application">The application.</param>
    /// <param name="areReports">True for reports of externals alone, which a publisher of the application may make.</param>
    public Refusal? RefusePublish(Caller caller, string application, bool areReports)
    {
        string owner = CompanionName.OwnerOf(application) ?? application;
        return Judge(caller, areReports ? owner : application, AccessRole.Publisher)
            ?? (applications.Find(owner) is null ? Unknown(application) : null);
    }

    private static Refusal Unknown(string application) => new(
        ErrorCode.UnknownApplication,
        CompanionName.OwnerOf(application) is { } owner
            ? $"The application '{owner}' has no definitions, or is not there. Look for a typing error."
            : $"There is no application '{application}'. Create it first, or look for a typing error.");
}

/// <summary>The authenticated caller: a token proved by a certificate of this cluster or by its secret. Immutable.</summary>
/// <param name="TokenId">The token's id.</param>
/// <param name="Actor">The actor recorded with changes.</param>
/// <param name="Token">The token as read for this request; null to use the core's copy.</param>
/// <param name="TokensVersion">The token list version that <paramref name="Token"/> was read at.</param>
internal sealed record Caller(string TokenId, string Actor, AccessToken? Token = null, long TokensVersion = -1);
