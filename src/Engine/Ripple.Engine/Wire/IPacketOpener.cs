namespace Ripple.Engine.Wire;

/// <summary>Turns a sealed datagram into frames: the other side of <see cref="IPacketSealer"/>. Core thread.</summary>
public interface IPacketOpener
{
    /// <summary>Opens a datagram that holds one packet, in place. Never throws for what the bytes are. After anything but <see cref="OpenStatus.Ok"/> the bytes
    /// are worthless and have been counted.</summary>
    /// <param name="datagram">One packet.</param>
    /// <param name="nowNs">The core's time.</param>
    /// <param name="header">What the clear header says; authentic only when Ok.</param>
    /// <param name="frames">The frames, a part of <paramref name="datagram"/>; empty unless Ok.</param>
    OpenStatus TryOpen(Span<byte> datagram, long nowNs, out PacketHeader header, out ReadOnlySpan<byte> frames);
}
