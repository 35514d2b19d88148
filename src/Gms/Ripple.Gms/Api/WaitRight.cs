using Ripple.Gms.Calls;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>
/// The right that a wait began with. A wait may last an hour, and tells names and reasons: it ends with its token, or with the role. Any
/// thread.
/// </summary>
/// <param name="api">The tokens and the time.</param>
/// <param name="tokenId">The token of whoever waits.</param>
/// <param name="application">The application that is waited for.</param>
internal sealed class WaitRight(ApiContext api, string tokenId, string application)
{
    /// <summary>Judges the token as it is now. Costs nothing while the tokens did not change.</summary>
    /// <exception cref="ApiProblemException">The right is gone.</exception>
    /// <exception cref="StoreException">The tokens changed and cannot be read now.</exception>
    public async ValueTask DemandAsync(CancellationToken cancellationToken)
    {
        AccessToken? token = await api.Tokens.FindAsync(tokenId, cancellationToken).ConfigureAwait(false);
        if (token is null || !token.IsGood(api.Clock.UnixMicros))
        {
            throw new ApiProblemException(Authorizer.NoLongerGood(tokenId));
        }

        if (!token.Allows(application, AccessRole.Node))
        {
            throw new ApiProblemException(Authorizer.NotAllowed(tokenId, application, AccessRole.Node));
        }
    }
}
