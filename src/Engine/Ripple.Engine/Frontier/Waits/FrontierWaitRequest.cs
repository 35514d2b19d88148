using Ripple.Engine.Frontier.Predicates;

namespace Ripple.Engine.Frontier.Waits;

/// <summary>
/// What to wait for. The callbacks run on the core thread, out of <see cref="FrontierWaits"/>, and may start and cancel waits.
/// </summary>
internal sealed record FrontierWaitRequest
{
    /// <summary>What must hold.</summary>
    public required Predicate Predicate { get; init; }

    /// <summary>The generation that the release is of.</summary>
    public required uint Generation { get; init; }

    /// <summary>The release, from 1.</summary>
    public required ulong Release { get; init; }

    /// <summary>
    /// The members of the application's view in which the release committed; null for those that are there now. The list must not change
    /// afterwards; waits that are given the same list share work.
    /// </summary>
    public IReadOnlyList<FrontierRow>? Members { get; init; }

    /// <summary>
    /// True when members that leave or fail keep counting, so that the wait may end as <see cref="FrontierWaitOutcome.CannotHold"/>.
    /// Default false: discounted.
    /// </summary>
    public bool CountLeft { get; init; }

    /// <summary>How long to wait, in nanoseconds; null for as long as it takes.</summary>
    public long? TimeoutNs { get; init; }

    /// <summary>Called once, when the wait ends; before the start returns when the answer is known at once. Never after a cancel.</summary>
    public required Action<FrontierWait, FrontierWaitResult> OnEnded { get; init; }

    /// <summary>Called at the start and whenever the count of holding members or of all changes; null when nobody looks.</summary>
    public Action<FrontierWait, FrontierWaitProgress>? OnProgress { get; init; }
}
