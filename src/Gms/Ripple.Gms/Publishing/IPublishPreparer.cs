namespace Ripple.Gms.Publishing;

/// <summary>Checks and digests publishes off the core thread, for which it is too much work.</summary>
internal interface IPublishPreparer
{
    /// <summary>
    /// Prepares outside the core. Exactly one argument of <paramref name="done"/> is not null; it runs on the preparer's thread. False when
    /// too many are in progress; try again later.
    /// </summary>
    bool TryPrepare(PublishInput input, Action<PreparedPublish?, Refusal?> done);
}
