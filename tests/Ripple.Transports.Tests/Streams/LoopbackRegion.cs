using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Transports.Tests.Streams;

/// <summary>What the sender and the members of a region on loopback agree on.</summary>
internal static class LoopbackRegion
{
    public const ulong Origin = 1;

    public const ulong RegionId = 0x0F0F;
    private const long PaceBytesPerSecond = 8_000_000_000;

    /// <summary>The window alone holds the sender back, so that every queue is as full as it gets.</summary>
    public static StreamOptions Stream { get; } =
        StreamOptions.Default with { PaceStartBytesPerSecond = PaceBytesPerSecond, PaceMinBytesPerSecond = PaceBytesPerSecond };

    public static PacketSealer Sealer(uint slot) => new(RegionId, NewKey(), slot);

    public static PacketOpener Opener(int members)
    {
        var opener = new PacketOpener(RegionId, NewKey());
        for (uint slot = 0; slot <= members; slot++)
        {
            opener.AllowSlot(slot);
        }

        return opener;
    }

    /// <summary>The one view; the members' slots are 1 and up.</summary>
    public static RegionView View(IReadOnlyList<LoopbackMember> members) => new(
        RegionId,
        new ViewNumber(1, 1),
        members.Select((m, i) => new RegionMember(
            (uint)i + 1, new NodeId(0, (ulong)i + 1), (ulong)i + 2, m.Data.LocalAddress, m.Control.LocalAddress)));

    /// <summary>Each node has a copy of its own: a key seals for one.</summary>
    private static RegionKey NewKey() => new(1, new byte[16]);
}
