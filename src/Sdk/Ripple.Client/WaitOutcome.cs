namespace Ripple.Client;

/// <summary>How a wait ended.</summary>
public enum WaitOutcome
{
    /// <summary>The predicate held over the members the wait was bound to.</summary>
    Held = 0,

    /// <summary>It can never hold: the members named rejected the release, or are gone.</summary>
    CannotHold = 1,

    /// <summary>The time ran out; the members named are behind.</summary>
    TimedOut = 2,
}
