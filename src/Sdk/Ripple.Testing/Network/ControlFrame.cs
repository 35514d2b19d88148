namespace Ripple.Testing.Network;

/// <summary>A frame under way. A null body is the end of the connection.</summary>
internal readonly record struct ControlFrame(long ArrivalNs, ushort Type, byte[]? Body, int Length)
{
    public bool IsEnd => Body is null;
}
