namespace Ripple.Client;

/// <summary>What a full queue of a subscriber does with further events.</summary>
public enum FullQueue
{
    /// <summary>It drops its oldest that was not sent, and the next event tells how many (<see cref="RippleEvent.Dropped"/>).</summary>
    DropOldest,

    /// <summary>
    /// Emitters of events that the subscriber's ranges have wait until there is room: they try again by themselves, and nobody is given
    /// such an event meanwhile. A subscriber that acknowledges nothing for 5 s (an option of the host) is not waited for any more, and its
    /// queue drops its oldest, until half of it is free. A host whose memory for events is full drops all the same.
    /// </summary>
    Block,
}
