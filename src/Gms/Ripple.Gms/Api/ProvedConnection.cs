using Microsoft.AspNetCore.Http;
using Ripple.Engine.Protocol;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>Runs requests past their authorization: their connection counts for their token from the first one on.</summary>
internal static class ProvedConnection
{
    public static async Task RunAsync(HttpContext context, RequestDelegate next)
    {
        if (context.Features.Get<IConnectionProof>() is not { } proof)
        {
            await next(context).ConfigureAwait(false);
            return;
        }

        AccessToken token = ApiCaller.Of(context).Token;
        if (!proof.TryBegin(ShareOwner.Of(token), token.Allows(AccessTokenGrant.All, AccessRole.Admin)))
        {
            context.Response.Headers.Connection = "close";
            throw new ApiProblemException(
                ErrorCode.Busy,
                $"The host has as many connections with the token {token.Id}, with tokens of its application, or of all, as it may, and "
                    + "each has a request under way. Use fewer connections, or try again.");
        }

        try
        {
            await next(context).ConfigureAwait(false);
        }
        finally
        {
            proof.End();
        }
    }
}

/// <summary>
/// A feature of an HTTP connection that counts as unknown until a request on it came with a good token, and for that token from then on.
/// </summary>
internal interface IConnectionProof
{
    /// <summary>A request with a good token begins; called for each. False when there is no place for connections of that token. Any
    /// thread.</summary>
    /// <param name="owner">The caller.</param>
    /// <param name="isAdministrator">True for an administrator of the cluster, who always finds a place.</param>
    bool TryBegin(ShareOwner owner, bool isAdministrator);

    /// <summary>A request that began has ended. Any thread.</summary>
    void End();
}
