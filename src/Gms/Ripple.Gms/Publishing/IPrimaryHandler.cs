using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>Callbacks from a primary to its host. Core thread.</summary>
internal interface IPrimaryHandler
{
    /// <summary>
    /// Releases were ordered and go to the store. Returns how the members of the application changed since the last commit, to be stored
    /// with them; null for not at all.
    /// </summary>
    MembershipChange? OnOrdered(ApplicationPrimary primary, IReadOnlyList<ReleaseHeader> headers);

    /// <summary>Releases were committed, oldest first, and may be delivered. Publishers are answered afterwards.</summary>
    void OnCommitted(ApplicationPrimary primary, IReadOnlyList<ReleaseHeader> headers);

    /// <summary>
    /// True while every region with members is too far behind the application's releases, so that more would not arrive sooner.
    /// </summary>
    bool AreAllBehind(ApplicationPrimary primary);

    /// <summary>The application entered a new generation.</summary>
    void OnGeneration(ApplicationPrimary primary);

    /// <summary>The store refused or failed; the publishers were answered.</summary>
    void OnStoreFailed(ApplicationPrimary primary, string reason);
}
