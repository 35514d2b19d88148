namespace Ripple.Engine.Core;

/// <summary>A buffer into which datagrams are received one after another. Free again when all of them were handled.</summary>
internal sealed class ReceiveSlab(int bytes)
{
    public byte[] Bytes { get; } = new byte[bytes];

    /// <summary>The offset for the next datagram.</summary>
    public int Used { get; set; }

    /// <summary>The number of waiting packet runs in this slab.</summary>
    public int Waiting { get; set; }
}
