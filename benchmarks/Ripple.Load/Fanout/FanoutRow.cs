using System.Text.Json.Serialization;

namespace Ripple.Load.Fanout;

/// <summary>
/// What was measured of one parameter set. Names are part of what readers of the JSON rely on; what was not measured is left out.
/// </summary>
internal sealed record FanoutRow
{
    public required int Receivers { get; init; }

    public required int Bytes { get; init; }

    public required int Topics { get; init; }

    public required bool Multicast { get; init; }

    public required bool Netns { get; init; }

    public required bool Trains { get; init; }

    public required string Seal { get; init; }

    /// <summary>Messages a second, where that was given.</summary>
    public double? Rate { get; init; }

    /// <summary>Through the engine, over all receivers, counted when checked and in order.</summary>
    public required double DeliveriesS { get; init; }

    public required double BytesS { get; init; }

    /// <summary>Deliveries a second in times of those with the first number of topics; only where there are several.</summary>
    public double? TopicsRatio { get; init; }

    public double? RawDeliveriesS { get; init; }

    public double? RawBytesS { get; init; }

    public double? RatioToRaw { get; init; }

    /// <summary>The share of packets that the raw side lost at its pace.</summary>
    public double? RawLoss { get; init; }

    /// <summary>The raw side's pace, in bytes a second of each receiver's stream; 0: none was needed.</summary>
    public double? RawPaceBytesS { get; init; }

    public required long Lost { get; init; }

    public required long OutOfOrder { get; init; }

    /// <summary>On both core threads together, a message sent.</summary>
    public required double BytesAllocatedPerMessage { get; init; }

    /// <summary>In both processes together, on all threads, a message sent.</summary>
    public required double ProcessBytesAllocatedPerMessage { get; init; }

    /// <summary>Of the process with the larger one.</summary>
    public required double GcTimeShare { get; init; }

    /// <summary>Processor time of both processes, in nanoseconds a delivery.</summary>
    public required double CpuNsPerDelivery { get; init; }

    public double? RawCpuNsPerDelivery { get; init; }

    public double? P50Us { get; init; }

    public double? P99Us { get; init; }

    public double? RawP50Us { get; init; }

    public double? RawP99Us { get; init; }

    /// <summary>
    /// What a control datagram that met a busy core waited for it at most, in microseconds: the mean over both cores while measured.
    /// </summary>
    public required double ControlWaitMeanUs { get; init; }

    /// <summary>The longest such wait of either core, in microseconds, since the start and thus with what is compiled then.</summary>
    public required double ControlWaitMaxUs { get; init; }

    /// <summary>Repairs by the sender, without the warm-up, as all that follows of repairs.</summary>
    public required long Repairs { get; init; }

    /// <summary>Of all repairs, the sender's share; only where packets are lost on purpose.</summary>
    public double? SenderRepairShare { get; init; }

    /// <summary>Repairs of everybody, for each packet that was lost on its way to one receiver, or to all.</summary>
    public double? RepairsPerLoss { get; init; }

    /// <summary>The sender's repairs alone, for each of those.</summary>
    public double? SenderRepairsPerLoss { get; init; }

    /// <summary>From sending to the arrival of what had to be repaired, at the 99th percentile, without the warm-up.</summary>
    public double? RepairP99Ms { get; init; }

    /// <summary>Resident memory of both processes at the end.</summary>
    public required double RssMb { get; init; }

    /// <summary>The same, the mean of the second minute; only of runs of three minutes and more.</summary>
    public double? RssSecondMinuteMb { get; init; }

    /// <summary>The same of the last minute.</summary>
    public double? RssLastMinuteMb { get; init; }

    [JsonIgnore]
    public bool IsSound => Lost == 0 && OutOfOrder == 0;
}
