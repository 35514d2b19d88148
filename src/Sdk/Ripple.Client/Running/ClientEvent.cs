namespace Ripple.Client.Running;

/// <summary>What the core tells a client's dispatcher. Immutable.</summary>
internal abstract record ClientEvent
{
    /// <summary>The connection changed.</summary>
    public sealed record Connection(ConnectionStateChange Change) : ClientEvent;

    /// <summary>A release took effect.</summary>
    public sealed record Applied(RippleRelease Release) : ClientEvent;

    /// <summary>A release asks to take effect; the decision must be called once, off the core.</summary>
    public sealed record Candidate(RippleRelease Release, Action<string?> Decide) : ClientEvent;
}
