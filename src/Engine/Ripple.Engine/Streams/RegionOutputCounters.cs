namespace Ripple.Engine.Streams;

/// <summary>Counts what a node sent for one region. Written on the core thread; other threads may read each value on its own.</summary>
internal sealed class RegionOutputCounters
{
    /// <summary>Packets sealed; a packet to many destinations counts once.</summary>
    public long PacketsSealed { get; internal set; }

    /// <summary>Datagrams handed to the sinks.</summary>
    public long Datagrams { get; internal set; }

    /// <summary>Bytes of those datagrams.</summary>
    public long Bytes { get; internal set; }

    /// <summary>Packets the sealer refused because the key is used up; nothing is sent until there is another.</summary>
    public long SealsRefused { get; internal set; }

    /// <summary>Small packets not queued because there was no room or no key.</summary>
    public long SendsRefused { get; internal set; }
}
