namespace Ripple.Gms.Api;

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
