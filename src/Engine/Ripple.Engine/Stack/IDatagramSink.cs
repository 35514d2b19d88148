using Ripple.Engine.Core;

namespace Ripple.Engine.Stack;

/// <summary>A sender of datagrams: a socket's root sink, or a layer above one (faults, a rate limit).</summary>
internal interface IDatagramSink
{
    /// <summary>
    /// Registers the intent to send in a class; does nothing when the feed is already registered. The sink pulls later in this turn or in
    /// another, lower classes first, feeds of one class in turn.
    /// </summary>
    void Register(IDatagramFeed feed, PacketClass packetClass);

    /// <summary>Removes a feed that is being disposed of.</summary>
    void Unregister(IDatagramFeed feed);
}

/// <summary>
/// A source of datagrams (QSM Fig. 13). It registers its intent to send with a sink; the sink pulls when it can send, and the datagram is
/// built at that moment, from the latest state.
/// </summary>
internal interface IDatagramFeed
{
    /// <summary>
    /// Called on the core thread by the sink that the feed is registered with. True: <paramref name="slot"/> holds one datagram or train,
    /// valid until the next call into the feed. False: nothing to send; the sink removes the feed until it registers again.
    /// </summary>
    bool TryPull(ref DatagramSlot slot);
}

/// <summary>Where a feed puts the datagram, or the train, that it is asked for.</summary>
internal ref struct DatagramSlot
{
    /// <summary>Creates a slot over the sink's own buffer.</summary>
    public DatagramSlot(Span<byte> scratch)
    {
        Scratch = scratch;
        Bytes = default;
        To = default;
        PacketBytes = 0;
    }

    /// <summary>
    /// The sink's buffer, at least <see cref="Wire.WireLimits.DatagramBytesMax"/> bytes, for a feed that builds its datagram now.
    /// </summary>
    public Span<byte> Scratch { get; }

    /// <summary>
    /// The datagram, or the packets of a train: a part of <see cref="Scratch"/>, or the feed's own bytes, which stay valid until the next
    /// call into it.
    /// </summary>
    public ReadOnlySpan<byte> Bytes { get; set; }

    /// <summary>
    /// For a train, the size of each packet except the last, which may be smaller; 0 (the default) for a single datagram.
    /// </summary>
    public int PacketBytes { get; set; }

    /// <summary>The destination.</summary>
    public NodeAddress To { get; set; }

    /// <summary>True when <see cref="Bytes"/> contains more than one packet.</summary>
    public readonly bool IsTrain => PacketBytes > 0 && Bytes.Length > PacketBytes;

    /// <summary>The number of packets in <see cref="Bytes"/>.</summary>
    public readonly int Packets => IsTrain ? (Bytes.Length + PacketBytes - 1) / PacketBytes : 1;
}
