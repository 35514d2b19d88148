namespace Ripple.Engine.Streams;

/// <summary>The sizes and times of streams; memory follows from the sizes. Every node of a region uses its own.</summary>
internal sealed record StreamOptions
{
    /// <summary>The highest rate that can be set.</summary>
    public const long PaceBytesPerSecondMax = 100_000_000_000;

    /// <summary>The defaults.</summary>
    public static StreamOptions Default { get; } = new();

    /// <summary>
    /// The most packets a sender keeps for repair; a full window stops it. Default 2,048, which is 2.9 MB when all are in use; memory is
    /// allocated as the window fills. At most <see cref="StreamReceiver.WindowPackets"/>: receivers refuse packets further ahead.
    /// </summary>
    public int WindowPackets { get; init; } = 2_048;

    /// <summary>
    /// The number of recent views whose aggregates count, and whose joiners' floors are kept. Default 16.
    /// </summary>
    public int ViewsKept { get; init; } = 16;

    /// <summary>
    /// How long, in nanoseconds, the window may stay full without the floor moving before the owner is told. Default 1 s.
    /// </summary>
    public long WindowStallNs { get; init; } = 1_000_000_000;

    /// <summary>
    /// The initial rate of a stream to each destination, in bytes of frames per second. Default 100 MB. From there the rate follows the
    /// loss that members report: it rises while loss is low, and falls to what got through when loss is high. Repairs, all together, may
    /// use the same rate again, those to a member that loses repairs less.
    /// </summary>
    public long PaceStartBytesPerSecond { get; init; } = 100_000_000;

    /// <summary>The lowest rate, whatever the loss, in bytes of frames per second. Default 5 MB.</summary>
    public long PaceMinBytesPerSecond { get; init; } = 5_000_000;

    /// <summary>
    /// The highest rate, in bytes of frames per second. Default 100 GB, which is effectively unlimited: the window and the socket are the
    /// actual bounds.
    /// </summary>
    public long PaceMaxBytesPerSecond { get; init; } = PaceBytesPerSecondMax;

    /// <summary>
    /// How many bytes may leave at once before the pace applies, and at most 10 ms worth of the rate. Should be less than the receive
    /// buffer of a socket. Default 256 KiB.
    /// </summary>
    public int PaceBurstBytes { get; init; } = 256 * 1_024;

    /// <summary>
    /// The shortest delay of the first beacon after the last data packet, in nanoseconds. Default 3 ms. Longer when the measured time until
    /// all members are known to have a packet is longer. Each further beacon waits twice as long.
    /// </summary>
    public long BeaconFirstNs { get; init; } = 3_000_000;

    /// <summary>
    /// The longest delay of the first beacon after the last data packet, in nanoseconds, whatever was measured. Default 1 s.
    /// </summary>
    public long BeaconFirstMaxNs { get; init; } = 1_000_000_000;

    /// <summary>The longest time between beacons while something is not stable, in nanoseconds. Default 1 s.</summary>
    public long BeaconMaxNs { get; init; } = 1_000_000_000;

    /// <summary>The most repairs queued at a sender; repairs that do not fit are requested again. Default 1,024.</summary>
    public int RepairsMax { get; init; } = 1_024;

    /// <summary>
    /// The shortest time after a repair for which the same request of the same member is ignored, in nanoseconds; longer while the member's
    /// loss reports take longer. Default 2 ms.
    /// </summary>
    public long RepairSuppressNs { get; init; } = 2_000_000;

    /// <summary>The round-trip from request to repair, in nanoseconds, that is assumed until one was measured. Default 2 ms.</summary>
    public long FirstRttNs { get; init; } = 2_000_000;

    /// <summary>
    /// The longest random delay of a first request, in nanoseconds; a quarter of the round-trip when that is less. Default 1 ms.
    /// </summary>
    public long NakSpreadMaxNs { get; init; } = 1_000_000;

    /// <summary>
    /// The shortest time before a request is repeated, in nanoseconds; twice the round-trip when that is more. Default 5 ms. Doubles with
    /// each repeat.
    /// </summary>
    public long NakRepeatMinNs { get; init; } = 5_000_000;

    /// <summary>The longest time between repeats of a request, in nanoseconds. Default 500 ms.</summary>
    public long NakRepeatMaxNs { get; init; } = 500_000_000;

    /// <summary>
    /// The most bytes of messages in assembly at one receiver, at least twice <see cref="Wire.WireLimits.MessageBytesMax"/>. Default 2 MiB.
    /// </summary>
    public int AssemblyBytesMax { get; init; } = 2 * 1_024 * 1_024;

    /// <summary>
    /// The most messages in assembly at one receiver, at least 2 and at most twice <see cref="StreamReceiver.WindowPackets"/>; each
    /// reserves 2 KiB of address space when the receiver joins, and takes memory as it is used. Default 256. Each hole leaves the message
    /// before it and the one after it unfinished: the default covers twice the holes of a full window when 1/32 is lost, which the pace
    /// accepts without slowing.
    /// </summary>
    public int AssemblyCountMax { get; init; } = 256;
}
