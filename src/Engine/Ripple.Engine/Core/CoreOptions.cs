namespace Ripple.Engine.Core;

/// <summary>The fixed sizes of a core, from which its memory follows.</summary>
public sealed record CoreOptions
{
    /// <summary>The most alarms scheduled at one time, over all nodes of the core. Default 16,384: eight a node for 2,000 nodes.</summary>
    public int AlarmsMax { get; init; } = 16_384;

    /// <summary>The most requests that wait. Default 16,384; rounded up to a power of two.</summary>
    public int RequestsMax { get; init; } = 16_384;

    /// <summary>The most received datagrams that wait in one class. Default 1,024.</summary>
    public int IoPerClassMax { get; init; } = 1_024;

    /// <summary>The size of a receive buffer in bytes. Default 2,048: one packet of a path with the usual MTU.</summary>
    public int ReceiveBufferBytes { get; init; } = 2_048;

    /// <summary>The most datagrams handled in one turn while alarms keep their time. Default 256. Halved, down to 16, while alarms lag.</summary>
    public int IoQuantum { get; init; } = 256;

    /// <summary>The lag of alarms in nanoseconds above which the I/O quantum shrinks. Default 1 ms.</summary>
    public long AlarmLagNsMax { get; init; } = 1_000_000;

    /// <summary>Overwrite returned buffers, so that a late reader fails; for tests. Default false.</summary>
    public bool IsChecked { get; init; }
}
