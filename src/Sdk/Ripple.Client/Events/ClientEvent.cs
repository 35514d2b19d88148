namespace Ripple.Client.Events;

/// <summary>An event sent by the core to a client's dispatcher. Immutable.</summary>
internal abstract record ClientEvent
{
    /// <summary>The connection's state changed.</summary>
    public sealed record Connection(ConnectionStateChange Change) : ClientEvent;

    /// <summary>A release took effect.</summary>
    public sealed record Applied(RippleRelease Release) : ClientEvent;

    /// <summary>
    /// A release awaits user code's decision. Call <c>Decide</c> once, off the core thread: null accepts, a reason rejects.
    /// </summary>
    public sealed record Candidate(RippleRelease Release, Action<string?> Decide) : ClientEvent;
}
