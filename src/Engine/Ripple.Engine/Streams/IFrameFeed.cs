namespace Ripple.Engine.Streams;

/// <summary>Something that makes the frames of one packet when asked: above the seal and the destinations, below the messages.</summary>
internal interface IFrameFeed
{
    /// <summary>
    /// Called on the core thread when a packet can be sent. Writes its frames at the beginning of the buffer and returns their bytes; 0
    /// when there is nothing to send now: the feed is forgotten until it registers again.
    /// </summary>
    int PullFrames(Span<byte> frames);
}
