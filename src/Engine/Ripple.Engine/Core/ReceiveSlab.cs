namespace Ripple.Engine.Core;

/// <summary>A buffer that datagrams are received into one behind the other. Free again when all of them were handled.</summary>
internal sealed class ReceiveSlab(int bytes)
{
    public byte[] Bytes { get; } = new byte[bytes];

    /// <summary>Where the next datagram goes.</summary>
    public int Used { get; set; }

    /// <summary>How many runs of packets in it wait.</summary>
    public int Waiting { get; set; }
}
