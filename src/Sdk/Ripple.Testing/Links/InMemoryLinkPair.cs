using Ripple.Engine.Links;

namespace Ripple.Testing.Links;

/// <summary>
/// Two ends of one control link in memory, for plain-call tests: nothing moves until <see cref="Pump"/>, and then always in the same order.
/// </summary>
internal sealed class InMemoryLinkPair
{
    /// <param name="leftPeer">What the left end sees as its peer, that is, who the right end is.</param>
    /// <param name="rightPeer">Who the left end is.</param>
    /// <param name="sendBufferBytesMax">The most bytes that wait in each direction; at least one longest frame.</param>
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
    /// Delivers what waited when it was called: from left to right, then from right to left, at most <paramref name="framesMax"/> each way;
    /// then what is due of writability and ends. Returns how many callbacks it made; 0 means that nothing is left.
    /// </summary>
    public int Pump(int framesMax = int.MaxValue) => Left.Deliver(Right, framesMax) + Right.Deliver(Left, framesMax);

    /// <summary>Pumps until nothing is left.</summary>
    /// <param name="roundsMax">The most rounds; two ends that answer each other for ever are a fault.</param>
    /// <exception cref="InvalidOperationException">It did not come to rest.</exception>
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

    /// <summary>Breaks the connection: what waits is lost, and both ends hear of it at the next <see cref="Pump"/>.</summary>
    public void Break(string reason)
    {
        Left.Break(reason);
        Right.Break(reason);
    }
}
