using Ripple.Engine.Core;

namespace Ripple.Engine.Streams;

/// <summary>Something that makes the frames of one packet for one destination when asked: repairs.</summary>
internal interface IUnicastFrameFeed
{
    /// <summary>
    /// Called on the core thread when a packet can be sent. Writes its frames at the beginning of the buffer and returns their bytes; 0
    /// when there is nothing to send now: the feed is forgotten until it registers again.
    /// </summary>
    int PullFrames(Span<byte> frames, out NodeAddress to);
}
