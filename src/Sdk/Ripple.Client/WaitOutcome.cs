namespace Ripple.Client;

/// <summary>How a wait ended.</summary>
public enum WaitOutcome
{
    /// <summary>The predicate held over the members bound to the wait.</summary>
    Held = 0,

    /// <summary>The predicate can never hold: the members listed rejected the release or are gone.</summary>
    CannotHold = 1,

    /// <summary>The time ran out; the members listed are behind.</summary>
    TimedOut = 2,
}
