using Microsoft.AspNetCore.Http;
using Ripple.Gms.Calls;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>The authenticated sender of a request, identified by its token. Immutable.</summary>
/// <param name="token">The token as read from the store.</param>
/// <param name="tokensVersion">The token list version that it was read at.</param>
internal sealed class ApiCaller(AccessToken token, long tokensVersion)
{
    public AccessToken Token => token;

    /// <summary>The actor recorded with changes.</summary>
    public string Actor => ActorText.Of(token);

    /// <summary>The caller in the form that the host's calls expect.</summary>
    public Caller ForCalls => new(token.Id, Actor, token, tokensVersion);

    /// <summary>The caller of an authenticated request.</summary>
    public static ApiCaller Of(HttpContext context) =>
        context.Features.Get<ApiCaller>() ?? throw new InvalidOperationException("The request was let in without a caller.");

    public bool Allows(string application, AccessRole role) => token.Allows(application, role);

    public void DemandAnywhere(AccessRole role)
    {
        if (token.Grants.Length == 0 || token.HighestRole < role)
        {
            string word = role.ToString().ToLowerInvariant();
            throw ApiProblemException.NotAllowed(
                $"The token {token.Id} does not allow this: it takes the role {word} in some application. Ask an administrator to set it.");
        }
    }

    public void Demand(string application, AccessRole role)
    {
        if (!Allows(application, role))
        {
            throw new ApiProblemException(Authorizer.NotAllowed(token.Id, application, role));
        }
    }
}
