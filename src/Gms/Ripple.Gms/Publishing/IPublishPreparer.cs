namespace Ripple.Gms.Publishing;

/// <summary>The door to the work of checking and digesting a publish, which is too much for the core thread.</summary>
internal interface IPublishPreparer
{
    /// <summary>
    /// Prepares outside the core; exactly one of the two arguments of <paramref name="done"/> is not null. It runs wherever the preparer
    /// works. False when too much is under way: try later.
    /// </summary>
    bool TryPrepare(PublishInput input, Action<PreparedPublish?, Refusal?> done);
}
