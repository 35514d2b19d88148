namespace Ripple.Engine.Streams;

/// <summary>Makes the frames of one packet on demand: above sealing and destinations, below messages.</summary>
internal interface IFrameFeed
{
    /// <summary>
    /// Called on the core thread when a packet can be sent. Writes the packet's frames at the start of the buffer and returns their length
    /// in bytes; 0 when there is nothing to send now: the feed is not called again until it registers again.
    /// </summary>
    int PullFrames(Span<byte> frames);
}
