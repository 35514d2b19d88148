namespace Ripple.Engine.Core;

/// <summary>The fixed sizes of a core, from which its memory follows.</summary>
internal sealed record CoreOptions
{
    /// <summary>The most alarms scheduled at one time, over all nodes of the core. Default 16,384: eight a node for 2,000 nodes.</summary>
    public int AlarmsMax { get; init; } = 16_384;

    /// <summary>The most requests that wait. Default 16,384; rounded up to a power of two.</summary>
    public int RequestsMax { get; init; } = 16_384;

    /// <summary>
    /// The most runs of received packets (a datagram, or the packets of one class of a train) that wait in one class. Default 1,024.
    /// </summary>
    public int IoPerClassMax { get; init; } = 1_024;

    /// <summary>
    /// The size in bytes of a buffer that datagrams of control sockets are received into, many behind each other. Default 64 KiB.
    /// </summary>
    public int ControlSlabBytes { get; init; } = 64 * 1_024;

    /// <summary>
    /// The size in bytes of a buffer that trains are received into. Default 256 KiB; a train needs room for 64 KiB, whatever comes.
    /// </summary>
    public int DataSlabBytes { get; init; } = 256 * 1_024;

    /// <summary>How many of these buffers each of the two lanes has. Default 16, which with the sizes above makes 5 MiB.</summary>
    public int SlabsPerLane { get; init; } = 16;

    /// <summary>
    /// How many trains that a socket refused for want of room are kept until it takes them, over all sockets of the core; one more is lost
    /// like on the wire. Default 32, which makes 2 MiB.
    /// </summary>
    public int RefusedTrainsMax { get; init; } = 32;

    /// <summary>
    /// The most packets handled, and the most sent by each socket, in one turn while alarms keep their time. Default 64: a train and a
    /// half, which stays in the cache between its reception and its handling, and which control never waits long behind. Halved, down to
    /// 16, while alarms lag.
    /// </summary>
    public int IoQuantum { get; init; } = 64;

    /// <summary>
    /// The lag of alarms in nanoseconds above which the I/O quantum shrinks. Default 0.5 ms: what is lagging is found a turn late, and
    /// control is to wait for less than 1 ms.
    /// </summary>
    public long AlarmLagNsMax { get; init; } = 500_000;

    /// <summary>Overwrite returned buffers, so that a late reader fails; for tests. Default false.</summary>
    public bool IsChecked { get; init; }
}
