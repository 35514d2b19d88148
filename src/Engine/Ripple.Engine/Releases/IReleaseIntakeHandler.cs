namespace Ripple.Engine.Releases;

/// <summary>Receives the events of a release intake. Core thread.</summary>
internal interface IReleaseIntakeHandler
{
    /// <summary>
    /// A batch of verified releases follows, up to <see cref="OnBatchEnd"/>: notifications that concern only the newest state can wait
    /// until then.
    /// </summary>
    void OnBatchBegin();

    /// <summary>No more releases of the batch follow.</summary>
    void OnBatchEnd();

    /// <summary>The next release of the chain is verified.</summary>
    void OnVerified(VerifiedRelease release);

    /// <summary>
    /// The messages received so far cannot advance the chain: a gap, another generation or a forgery. Catch up through a host.
    /// </summary>
    void OnStuck();

    /// <summary>A member of the region sealed data that the primary did not release.</summary>
    void OnRefused(IntakeRefusal refusal);
}
