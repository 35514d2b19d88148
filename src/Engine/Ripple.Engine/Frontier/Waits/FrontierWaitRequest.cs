using Ripple.Engine.Frontier.Predicates;

namespace Ripple.Engine.Frontier.Waits;

/// <summary>
/// The condition to wait for. The callbacks run on the core thread, called by <see cref="FrontierWaits"/>, and may start and cancel waits.
/// </summary>
internal sealed record FrontierWaitRequest
{
    /// <summary>The predicate that must hold.</summary>
    public required Predicate Predicate { get; init; }

    /// <summary>The generation of the release.</summary>
    public required uint Generation { get; init; }

    /// <summary>The release, from 1.</summary>
    public required ulong Release { get; init; }

    /// <summary>
    /// The members of the application's view in which the release committed; null for the current members. The list must not change
    /// afterward; waits with the same list share work.
    /// </summary>
    public IReadOnlyList<FrontierRow>? Members { get; init; }

    /// <summary>
    /// True when members that leave or fail keep counting, so that the wait may end as <see cref="FrontierWaitOutcome.CannotHold"/>.
    /// Default false: they are discounted.
    /// </summary>
    public bool CountLeft { get; init; }

    /// <summary>The timeout in nanoseconds; null for none.</summary>
    public long? TimeoutNs { get; init; }

    /// <summary>
    /// Called once, when the wait ends; before the start returns when the answer is known immediately. Never called after a cancel.
    /// </summary>
    public required Action<FrontierWait, FrontierWaitResult> OnEnded { get; init; }

    /// <summary>
    /// Called at the start and whenever the number of holding members or of all members changes; null when progress is not needed.
    /// </summary>
    public Action<FrontierWait, FrontierWaitProgress>? OnProgress { get; init; }
}
