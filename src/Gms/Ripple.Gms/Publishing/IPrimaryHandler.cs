using Ripple.Engine.Releases;

namespace Ripple.Gms.Publishing;

/// <summary>What a primary tells its host. Core thread.</summary>
internal interface IPrimaryHandler
{
    /// <summary>Releases are committed, oldest first: they may be delivered. Publishers are answered after this.</summary>
    void OnCommitted(ApplicationPrimary primary, IReadOnlyList<ReleaseHeader> headers);

    /// <summary>
    /// True while no region takes the application's releases as fast as they come: what is published now would reach nobody sooner.
    /// </summary>
    bool AreAllBehind(ApplicationPrimary primary);

    /// <summary>The application is in a new generation.</summary>
    void OnGeneration(ApplicationPrimary primary);

    /// <summary>The store refused or failed; publishers were told.</summary>
    void OnStoreFailed(ApplicationPrimary primary, string reason);
}
