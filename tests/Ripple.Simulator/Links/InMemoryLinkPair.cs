using Ripple.Engine.Links;

namespace Ripple.Simulator.Links;

/// <summary>
/// Two ends of one in-memory control link, for tests by plain calls: nothing moves until <see cref="Pump"/>, and then always in the same
/// order.
/// </summary>
internal sealed class InMemoryLinkPair
{
    /// <param name="leftPeer">The peer as seen by the left end, which is the identity of the right end.</param>
    /// <param name="rightPeer">The identity of the left end.</param>
    /// <param name="sendBufferBytesMax">Maximum number of bytes queued in each direction; at least one frame of maximum size.</param>
    public InMemoryLinkPair(LinkPeer leftPeer, LinkPeer rightPeer, int sendBufferBytesMax = 262_144)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(sendBufferBytesMax, LinkFrame.HeaderBytes + LinkFrame.BodyBytesMax);
        Left = new(leftPeer, sendBufferBytesMax);
        Right = new(rightPeer, sendBufferBytesMax);
    }

    /// <summary>One end.</summary>
    public InMemoryLink Left { get; }

    /// <summary>The other end.</summary>
    public InMemoryLink Right { get; }

    /// <summary>
    /// Delivers the queued frames from left to right, then those from right to left, including replies to the former; at most
    /// <paramref name="framesMax"/> each way. The frames of a direction are followed by its due writability and end notifications. Returns
    /// the number of callbacks made; 0 means that nothing is left.
    /// </summary>
    public int Pump(int framesMax = int.MaxValue) => Left.Deliver(Right, framesMax) + Right.Deliver(Left, framesMax);

    /// <summary>Pumps until nothing is left.</summary>
    /// <param name="roundsMax">Maximum number of rounds; two ends that answer each other forever are a fault.</param>
    /// <exception cref="InvalidOperationException">The link did not come to rest.</exception>
    public void PumpAll(int roundsMax = 10_000)
    {
        while (Pump() > 0)
        {
            if (--roundsMax == 0)
            {
                throw new InvalidOperationException("The two ends of the link do not come to rest.");
            }
        }
    }

    /// <summary>Breaks the connection: queued frames are lost, and both ends are notified at the next <see cref="Pump"/>.</summary>
    public void Break(string reason)
    {
        Left.Break(reason);
        Right.Break(reason);
    }
}
