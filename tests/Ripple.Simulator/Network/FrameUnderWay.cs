namespace Ripple.Simulator.Network;

/// <summary>A control frame that was sent but not yet taken. A null body is the end of the connection, with its reason.</summary>
internal readonly record struct FrameUnderWay(
    long ArrivalNs, ushort Type, byte[]? Body, int Length, string? EndReason = null, int Forgery = 0)
{
    public bool IsEnd => Body is null;
}
