using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary;

/// <summary>
/// Seals packets under the captured key as any slot. Counters follow those the captured member sees, so that packets are opened instead of
/// dying as replays; they reuse nonces, which an attacker does not care about.
/// </summary>
internal sealed class Disguise(CapturedMember captured)
{
    /// <summary>How far ahead of the newest counter seen the forged ones begin: far less than a replay window, so that genuine packets
    /// are still opened after them.</summary>
    private const ulong AheadMin = 16;

    /// <summary>Most of a replay window.</summary>
    private const ulong AheadMax = 900;

    private const ulong StrideMax = 7;

    private readonly SortedDictionary<(ulong To, uint KeyEpoch, uint Slot, PacketClass Class), ulong> _used = [];
    private ulong _sealed;

    /// <summary>Writes header and tag around frames that stand behind the room for the header; returns the packet's length, 0 without a
    /// key.</summary>
    /// <param name="datagram">The buffer.</param>
    /// <param name="framesBytes">The length of the frames.</param>
    /// <param name="slot">Whose packet it shall be.</param>
    /// <param name="packetClass">The class.</param>
    /// <param name="to">Who shall open it; counters used for one receiver are fresh at another.</param>
    /// <param name="number">The counter; 0 to follow the counters seen.</param>
    public int Seal(Span<byte> datagram, int framesBytes, uint slot, PacketClass packetClass, in NodeAddress to, ulong number = 0)
    {
        if (captured.Accepted is not { } accepted || captured.Key.IsEmpty)
        {
            return 0;
        }

        number = number == 0 ? NextNumber(slot, packetClass, to) : number;
        int length = PacketHeader.Size + framesBytes + PacketHeader.TagSize;
        ulong counter = number | ((ulong)packetClass << PacketHeader.ClassShift);
        var header = new PacketHeader(packetClass, length, captured.KeyEpoch, accepted.View.RegionId, slot, counter);
        Span<byte> packet = datagram[..length];
        header.Write(packet);
        using var key = new RegionKey(captured.KeyEpoch, captured.Key.Span);
        key.Seal(header, packet);
        return length;
    }

    private ulong NextNumber(uint slot, PacketClass packetClass, in NodeAddress to)
    {
        (ulong, uint, uint, PacketClass) key = ((to.Low << 16) | to.Port, captured.KeyEpoch, slot, packetClass);
        ulong newest = captured.NewestOf(slot, packetClass);
        // Gaps between them: where the genuine ones come by, not many in a row are taken for replays.
        ulong next = Math.Max(newest + AheadMin, _used.GetValueOrDefault(key) + 1 + (++_sealed % StrideMax));
        if (next > newest + AheadMax)
        {
            // Further ahead, genuine packets would look too old.
            next = newest + AheadMin;
        }

        return _used[key] = next;
    }
}
