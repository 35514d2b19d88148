namespace Ripple.Engine.Core;

/// <summary>Consecutive waiting packets of one class that arrived through one port.</summary>
internal struct PacketRun
{
    public IDatagramHandler Handler;
    public ReceiveSlab Slab;
    public PortLane Lane;
    public int Offset;
    public int Bytes;
    public int Packets;
}
