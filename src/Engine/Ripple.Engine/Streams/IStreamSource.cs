namespace Ripple.Engine.Streams;

/// <summary>
/// The source of a stream's messages. Asked when a packet is made, so that nothing is queued between the releases and the wire.
/// </summary>
internal interface IStreamSource
{
    /// <summary>
    /// Takes the next message for the region out of the source; false when there is none now. The bytes stay unchanged until the next call
    /// of this method. At most <see cref="Wire.WireLimits.MessageBytesMax"/>.
    /// </summary>
    bool TryNext(out uint topic, out ReadOnlyMemory<byte> message);
}
