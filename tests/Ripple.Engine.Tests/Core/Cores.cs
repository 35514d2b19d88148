using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

/// <summary>Cores a test steps itself.</summary>
internal static class Cores
{
    public static CoreLoop Make(CoreOptions? options = null, ulong seed = 1) => new(options ?? new CoreOptions { IsChecked = true }, seed);

    /// <summary>Puts a datagram of one byte of content into the core's queue, as a source would.</summary>
    public static void Receive(this CoreLoop core, PacketClass packetClass, byte content, IDatagramHandler handler)
    {
        Assert.True(core.Io.TryRent(out BufferLease lease));
        lease.Array[0] = 0x11;
        lease.Array[1] = (byte)packetClass;
        lease.Array[2] = content;
        core.Io.Enqueue(lease, 3, handler);
    }
}
