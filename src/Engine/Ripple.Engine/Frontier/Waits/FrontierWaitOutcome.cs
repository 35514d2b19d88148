namespace Ripple.Engine.Frontier.Waits;

/// <summary>How a wait ended.</summary>
internal enum FrontierWaitOutcome
{
    /// <summary>The predicate held for the release.</summary>
    Held,

    /// <summary>It does not hold and, as far as is known, never will.</summary>
    CannotHold,

    /// <summary>It did not hold in time, but still could.</summary>
    TimedOut,
}
