using Microsoft.AspNetCore.Http;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>Who asks: a token that was proved. Immutable.</summary>
internal sealed class Caller(AccessToken token)
{
    public AccessToken Token => token;

    /// <summary>What changes are recorded under.</summary>
    public string Actor => ActorOf(token);

    public static string ActorOf(AccessToken token) => token.Name.Length > 0 ? $"token:{token.Id}/{token.Name}" : $"token:{token.Id}";

    /// <summary>The caller of a request that was let in.</summary>
    public static Caller Of(HttpContext context) => context.Features.Get<Caller>() ?? throw new InvalidOperationException("The request was let in without a caller.");

    public bool Allows(string application, AccessRole role) => token.Allows(application, role);

    public void DemandAnywhere(AccessRole role)
    {
        if (token.Grants.Length == 0 || token.HighestRole < role)
        {
            throw ApiProblemException.NotAllowed($"The token {token.Id} does not allow this: it takes the role {role.ToString().ToLowerInvariant()} in some application. Ask an administrator to set it.");
        }
    }

    public void Demand(string application, AccessRole role)
    {
        if (!Allows(application, role))
        {
            string where = application == AccessTokenGrant.All ? "over all applications (*)" : $"in '{application}'";
            throw ApiProblemException.NotAllowed($"The token {token.Id} does not allow this: it takes the role {role.ToString().ToLowerInvariant()} {where}. Ask an administrator to set it.");
        }
    }
}
