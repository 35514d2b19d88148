namespace Ripple.Engine.Releases;

/// <summary>What an intake tells its replica. Core thread.</summary>
internal interface IReleaseIntakeHandler
{
    /// <summary>
    /// Verified releases follow, the last of them before <see cref="OnBatchEnd"/>: what is told of the newest need not be told of each.
    /// </summary>
    void OnBatchBegin();

    /// <summary>The releases of the batch were handed out.</summary>
    void OnBatchEnd();

    /// <summary>The next release of the chain is verified.</summary>
    void OnVerified(VerifiedRelease release);

    /// <summary>What came cannot bring the chain forward: a gap, another generation, a forgery. Ask a host.</summary>
    void OnStuck();

    /// <summary>Something was sealed by a member of the region and is not what the primary released.</summary>
    void OnForged(string what);
}
