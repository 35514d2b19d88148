namespace Ripple.Engine.Frontier.Waits;

/// <summary>How a wait ended.</summary>
internal enum FrontierWaitOutcome
{
    /// <summary>The predicate held for the release.</summary>
    Held,

    /// <summary>It does not hold and, by what is known, never will.</summary>
    CannotHold,

    /// <summary>It did not hold in time, and still could.</summary>
    TimedOut,
}
