using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

/// <summary>Cores a test steps itself.</summary>
internal static class Cores
{
    public static CoreLoop Make(CoreOptions? options = null, ulong seed = 1) => new(options ?? new CoreOptions { IsChecked = true }, seed);

    /// <summary>Puts a datagram of one byte of content into the core's queue, as a source would.</summary>
    public static void Receive(this CoreLoop core, PacketClass packetClass, byte content, IDatagramHandler handler)
    {
        PortLane lane = packetClass <= PacketClass.Nak ? PortLane.Control : PortLane.Data;
        Assert.True(core.Io.TryReserve(lane, 2_048, out Span<byte> room));
        room[0] = 0x11;
        room[1] = (byte)packetClass;
        room[2] = content;
        Assert.Equal(1, core.Io.Commit(lane, 3, handler));
    }
}
