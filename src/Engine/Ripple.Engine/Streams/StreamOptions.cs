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
    /// taken as the window fills. At most <see cref="StreamReceiver.WindowPackets"/>, beyond which receivers would refuse.
    /// </summary>
    public int WindowPackets { get; init; } = 2_048;

    /// <summary>
    /// How long, in nanoseconds, the window may be full without any move of the floor before the owner is told. Default 1 s.
    /// </summary>
    public long WindowStallNs { get; init; } = 1_000_000_000;

    /// <summary>
    /// How fast a stream begins to send to each destination, in bytes of frames a second. Default 100 MB. From there the rate follows what
    /// members report lost: faster while that is little, down to what got through when it is much. Repairs have as much again, together.
    /// </summary>
    public long PaceStartBytesPerSecond { get; init; } = 100_000_000;

    /// <summary>The rate that no loss goes below, in bytes of frames a second. Default 5 MB.</summary>
    public long PaceMinBytesPerSecond { get; init; } = 5_000_000;

    /// <summary>
    /// The rate that nothing goes above, in bytes of frames a second. Default 100 GB, which is none: the window and the socket are what
    /// bounds.
    /// </summary>
    public long PaceMaxBytesPerSecond { get; init; } = PaceBytesPerSecondMax;

    /// <summary>
    /// How many bytes may leave at once before the pace is kept, and at most what the rate makes in 10 ms: less than the receive buffer of
    /// a socket. Default 256 KiB.
    /// </summary>
    public int PaceBurstBytes { get; init; } = 256 * 1_024;

    /// <summary>
    /// The least time after the last data packet at which the first beacon follows, in nanoseconds. Default 3 ms. More when it takes longer
    /// until all are known to have a packet, as it was measured. Later beacons take twice as long each.
    /// </summary>
    public long BeaconFirstNs { get; init; } = 3_000_000;

    /// <summary>
    /// The most time after the last data packet at which the first beacon follows, in nanoseconds, whatever was measured. Default 100 ms.
    /// </summary>
    public long BeaconFirstMaxNs { get; init; } = 100_000_000;

    /// <summary>The longest time between beacons while something is not stable, in nanoseconds. Default 1 s.</summary>
    public long BeaconMaxNs { get; init; } = 1_000_000_000;

    /// <summary>The most repairs that wait at a sender; what does not fit is asked for again. Default 1,024.</summary>
    public int RepairsMax { get; init; } = 1_024;

    /// <summary>How long after a repair the same request of the same member is ignored at least, in nanoseconds; the time
    /// its reports of loss take when that is more. Default 2 ms.</summary>
    public long RepairSuppressNs { get; init; } = 2_000_000;

    /// <summary>The round-trip from request to repair that is assumed before one was measured, in nanoseconds. Default 2 ms.</summary>
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
    /// The most messages in assembly at one receiver, at least 2 and at most twice <see cref="StreamReceiver.WindowPackets"/>; 2 KiB of
    /// addresses each are taken when it joins, and memory as they are used. Default 256. Each hole leaves the message before it and the one
    /// behind it unfinished: that is twice the holes of a full window when 1/32 is lost, which the pace bears without slowing.
    /// </summary>
    public int AssemblyCountMax { get; init; } = 256;

    /// <summary>For the simulator: a rule that the sender breaks. Default none.</summary>
    public PlantedStreamBugs Bugs { get; init; } = PlantedStreamBugs.None;

    internal bool Breaks(PlantedStreamBugs bug) => (Bugs & bug) != 0;
}
