namespace Ripple.Gms;

/// <summary>The bounds of events by attributes at a host. Immutable.</summary>
public sealed record GmsEventOptions
{
    /// <summary>
    /// For how long after its start a host keeps events for subscribers that come back, in nanoseconds; and for how long it keeps the
    /// subscriptions, and what waits, of a subscriber whose connection was lost. Default 15 s.
    /// </summary>
    public long GraceNs { get; init; } = 15_000_000_000;

    /// <summary>The most boxes of one subscriber, which is one session of a node in one space. From 1 to 8,192. Default 1,024.</summary>
    public int BoxesPerSubscriberMax { get; init; } = 1_024;

    /// <summary>The most boxes of one space. Default 65,536.</summary>
    public int BoxesPerSpaceMax { get; init; } = 65_536;

    /// <summary>
    /// The most boxes of all spaces, of which the subscribers with one token have half, and those with the tokens of one application three
    /// quarters. Default 262,144.
    /// </summary>
    public int BoxesMax { get; init; } = 262_144;

    /// <summary>The most events that are sent to a subscriber and not acknowledged. Default 256.</summary>
    public int WindowEventsMax { get; init; } = 256;

    /// <summary>The most bytes of these; one event may always be sent. Default 1 MiB.</summary>
    public int WindowBytesMax { get; init; } = 1_048_576;

    /// <summary>
    /// The most events held for a subscriber, those in its window included; beyond it the oldest that was not sent is dropped, counted, and
    /// told. Within the grace of a start nothing is dropped, and as many wait as are kept. Default 1,024.
    /// </summary>
    public int QueueEventsMax { get; init; } = 1_024;

    /// <summary>The most bytes of these; one event may always wait. Default 4 MiB.</summary>
    public int QueueBytesMax { get; init; } = 4 * 1_048_576;

    /// <summary>
    /// For how long a subscriber that asked emitters to wait holds them up without acknowledging an event, in nanoseconds. After that its
    /// queue drops its oldest as any other, until half of it is free. 0: nobody may ask for it. Default 5 s.
    /// </summary>
    public long BlockNs { get; init; } = 5_000_000_000;

    /// <summary>
    /// The most bytes of events of all spaces that were not delivered to all of their subscribers. Beyond it the subscriber for whom most
    /// waits loses its oldest; if nothing waits, emitters are told to try again. Default 128 MiB.
    /// </summary>
    public long BytesMax { get; init; } = 128L * 1_048_576;

    /// <summary>The most events of a space that are kept within the grace of a start; emitters of more try again. Default 16,384.</summary>
    public int KeptEventsMax { get; init; } = 16_384;
}
