namespace Ripple.Engine.Core;

/// <summary>Packets of one class that came behind each other through one port and wait.</summary>
internal struct PacketRun
{
    public IDatagramHandler Handler;
    public ReceiveSlab Slab;
    public PortLane Lane;
    public int Offset;
    public int Bytes;
    public int Packets;
}
