using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Attacks.Nodes;

/// <summary>
/// What a node by hand was told when it joined, and what it was told since: its region with view and key. Any thread may read it.
/// </summary>
internal sealed class Seat
{
    private readonly Lock _gate = new();
    private readonly SortedDictionary<uint, Member> _members = [];
    private ulong _view;
    private uint _keyEpoch;
    private byte[] _key = [];

    public required ulong Incarnation { get; init; }

    public required ulong HostIncarnation { get; init; }

    public required NodeAddress HostControl { get; init; }

    public required uint Slot { get; init; }

    public required ulong RegionId { get; init; }

    /// <summary>What only this member and the host know; empty where the host knows no such keys.</summary>
    public required byte[] MemberKey { get; init; }

    public required ulong FirstSequence { get; init; }

    public required IReadOnlyList<Topic> Topics { get; init; }

    public required uint HeartbeatMs { get; init; }

    /// <summary>The number of the newest view.</summary>
    public ulong View => Read(() => _view);

    /// <summary>The epoch that the host orders in.</summary>
    public uint SlotEpoch => (uint)(View >> 32);

    public uint KeyEpoch => Read(() => _keyEpoch);

    public byte[] Key => Read(() => _key);

    /// <summary>The members by slot, which is their order in the ring.</summary>
    public Member[] Members => Read(() => _members.Values.ToArray());

    /// <summary>Takes a view or a change of it.</summary>
    public void Take(ulong view, IEnumerable<uint> removed, IEnumerable<Member> added)
    {
        lock (_gate)
        {
            _view = view;
            foreach (uint slot in removed)
            {
                _members.Remove(slot);
            }

            foreach (Member member in added)
            {
                _members[member.Slot] = member;
            }
        }
    }

    public void Take(uint keyEpoch, byte[] key)
    {
        lock (_gate)
        {
            (_keyEpoch, _key) = (keyEpoch, key);
        }
    }

    /// <summary>Seals frames as whatever slot, class and number: who has the region's key can.</summary>
    public byte[] Seal(uint slot, PacketClass packetClass, ulong number, ReadOnlySpan<byte> frames)
    {
        byte[] packet = new byte[PacketHeader.Size + frames.Length + PacketHeader.TagSize];
        (uint epoch, byte[] bytes) = Read(() => (_keyEpoch, _key));
        ulong counter = number | ((ulong)packetClass << PacketHeader.ClassShift);
        var header = new PacketHeader(packetClass, packet.Length, epoch, RegionId, slot, counter);
        header.Write(packet);
        frames.CopyTo(packet.AsSpan(PacketHeader.Size));
        using var key = new RegionKey(epoch, bytes);
        key.Seal(header, packet);
        return packet;
    }

    /// <summary>The frames of a packet of this region; empty for what cannot be opened.</summary>
    public byte[] Open(byte[] packet, out PacketHeader header)
    {
        (uint epoch, byte[] bytes) = Read(() => (_keyEpoch, _key));
        if (PacketHeader.TryRead(packet, out header) != PacketHeaderStatus.Ok || header.KeyEpoch != epoch)
        {
            return [];
        }

        using var key = new RegionKey(epoch, bytes);
        return key.TryOpen(header, packet) ? packet[PacketHeader.Size..^PacketHeader.TagSize] : [];
    }

    private T Read<T>(Func<T> what)
    {
        lock (_gate)
        {
            return what();
        }
    }
}
