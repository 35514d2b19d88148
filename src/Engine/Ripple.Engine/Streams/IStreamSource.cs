namespace Ripple.Engine.Streams;

/// <summary>
/// Where a stream's messages come from. Asked when a packet is made, so that nothing is queued between the room of releases and the wire.
/// </summary>
internal interface IStreamSource
{
    /// <summary>
    /// The next message for the region, taken out of the source; false when there is none now. The bytes stay unchanged until the next call
    /// of this method. At most <see cref="Wire.WireLimits.MessageBytesMax"/>.
    /// </summary>
    bool TryNext(out uint topic, out ReadOnlyMemory<byte> message);
}
