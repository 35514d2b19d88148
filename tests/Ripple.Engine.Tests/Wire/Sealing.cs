using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Wire;

/// <summary>Members of one region, ready to seal and open.</summary>
internal static class Sealing
{
    public const ulong RegionId = 0x1122334455667788;

    public static byte[] KeyBytes(uint epoch) => [.. Enumerable.Range(0, RegionKey.KeyBytes).Select(i => (byte)(i + (17 * epoch)))];

    public static RegionKey Key(uint epoch) => new(epoch, KeyBytes(epoch));

    public static PacketOpener Opener(uint epoch, params uint[] slots)
    {
        var opener = new PacketOpener(RegionId, Key(epoch));
        foreach (uint slot in slots)
        {
            opener.AllowSlot(slot);
        }

        return opener;
    }

    public static byte[] Seal(PacketSealer sealer, PacketClass packetClass, params byte[] frames)
    {
        byte[] buffer = new byte[PacketHeader.Size + frames.Length + PacketHeader.TagSize];
        frames.CopyTo(buffer, PacketHeader.Size);
        Assert.Equal(buffer.Length, sealer.Seal(buffer, frames.Length, packetClass));
        return buffer;
    }

    /// <summary>Opens a copy, so that the packet can be opened again.</summary>
    public static OpenStatus Open(PacketOpener opener, byte[] packet, long nowNs = 0) => opener.TryOpen([.. packet], nowNs, out _, out _);
}
