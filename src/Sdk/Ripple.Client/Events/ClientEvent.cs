using Ripple.Engine.Releases;

namespace Ripple.Client.Events;

/// <summary>An event sent by the core to a client's dispatcher. Immutable.</summary>
internal abstract record ClientEvent
{
    /// <summary>The connection's state changed.</summary>
    public sealed record Connection(ConnectionStateChange Change) : ClientEvent;

    /// <summary>A release took effect.</summary>
    public sealed record Applied(RippleRelease Release) : ClientEvent;

    /// <summary>Something received was refused; <c>Omitted</c> more of its kind were not told since the last one.</summary>
    public sealed record Refused(string Application, IntakeRefusal Refusal, long Omitted) : ClientEvent;

    /// <summary>
    /// A release awaits user code's decision. Call <c>Decide</c> once, off the core thread: null accepts, a reason rejects.
    /// </summary>
    public sealed record Candidate(RippleRelease Release, Action<string?> Decide) : ClientEvent
    {
        /// <summary>The newest release, which was rejected, if this is an earlier one to start from; else 0.</summary>
        public ulong RejectedNewer { get; init; }
    }
}
