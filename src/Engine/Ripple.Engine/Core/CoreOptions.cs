namespace Ripple.Engine.Core;

/// <summary>The fixed sizes of a core, which determine its memory.</summary>
internal sealed record CoreOptions
{
    /// <summary>
    /// The most alarms scheduled at one time, over all nodes of the core. Default 16,384: eight per node for 2,000 nodes.
    /// </summary>
    public int AlarmsMax { get; init; } = 16_384;

    /// <summary>The most waiting requests. Default 16,384; rounded up to a power of two.</summary>
    public int RequestsMax { get; init; } = 16_384;

    /// <summary>
    /// The most waiting runs of received packets per class; a run is a datagram, or consecutive packets of one class in a train. Default
    /// 1,024.
    /// </summary>
    public int IoPerClassMax { get; init; } = 1_024;

    /// <summary>
    /// The size in bytes of a receive buffer for control sockets, which holds many datagrams one after another. Default 64 KiB.
    /// </summary>
    public int ControlSlabBytes { get; init; } = 64 * 1_024;

    /// <summary>
    /// The size in bytes of a receive buffer for trains. Default 256 KiB; receiving a train requires 64 KiB free, whatever its actual size.
    /// </summary>
    public int DataSlabBytes { get; init; } = 256 * 1_024;

    /// <summary>The number of receive buffers per lane. Default 16, which is 5 MiB in total with the sizes above.</summary>
    public int SlabsPerLane { get; init; } = 16;

    /// <summary>
    /// How many trains that a full socket refused are kept until it accepts them, over all sockets of the core; further ones are lost as if
    /// on the wire. Default 32, which is 2 MiB.
    /// </summary>
    public int RefusedTrainsMax { get; init; } = 32;

    /// <summary>
    /// The most packets handled, and the most sent by each socket, in one turn while alarms are on time. Default 64: one and a half trains,
    /// which stay in the cache from reception to handling and never delay control for long. Halved, down to 16, while alarms lag.
    /// </summary>
    public int IoQuantum { get; init; } = 64;

    /// <summary>
    /// The alarm lag, in nanoseconds, above which the I/O quantum shrinks. Default 0.5 ms: a lag is detected one turn late, and control
    /// must wait less than 1 ms.
    /// </summary>
    public long AlarmLagNsMax { get; init; } = 500_000;

    /// <summary>
    /// How long, in nanoseconds, data waits behind control: from then on half of each turn is for data, until none waits. Default 20 ms.
    /// </summary>
    public long DataLateNsMax { get; init; } = 20_000_000;

    /// <summary>
    /// The alarm lag, in nanoseconds, from which the core has stood still: the process was stopped, or the machine slept. Default 1 s.
    /// </summary>
    public long StandstillNs { get; init; } = 1_000_000_000;

    /// <summary>Overwrites returned buffers, so that a late reader fails; for tests. Default false.</summary>
    public bool IsChecked { get; init; }
}
