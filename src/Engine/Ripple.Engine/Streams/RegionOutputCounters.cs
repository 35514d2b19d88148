namespace Ripple.Engine.Streams;

/// <summary>What left a node for one region. Written on the core thread; instruments read it from others, each value by itself.</summary>
internal sealed class RegionOutputCounters
{
    /// <summary>Packets sealed; a packet to many destinations counts once.</summary>
    public long PacketsSealed { get; internal set; }

    /// <summary>Datagrams handed to the sinks.</summary>
    public long Datagrams { get; internal set; }

    /// <summary>Bytes of those datagrams.</summary>
    public long Bytes { get; internal set; }

    /// <summary>Packets the sealer refused: the key is used up, nothing leaves until there is another.</summary>
    public long SealsRefused { get; internal set; }

    /// <summary>Small packets not queued, for want of room or of a key.</summary>
    public long SendsRefused { get; internal set; }
}
