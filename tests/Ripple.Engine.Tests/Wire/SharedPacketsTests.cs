using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Wire;

public sealed class SharedPacketsTests
{
    private const ulong Region = 7;
    private const int CounterOffset = 20;
    private static readonly byte[] Key = [.. Enumerable.Range(1, RegionKey.KeyBytes).Select(i => (byte)i)];
    private static readonly byte[] Frames = [.. Enumerable.Range(0, 300).Select(i => (byte)i)];
    private readonly SharedPackets _shared = new();
    private readonly PacketSealer _sealer = new(Region, new RegionKey(1, Key), slot: 0);

    public SharedPacketsTests()
    {
        _shared.Join();
        _shared.Join();
    }

    [Fact]
    public void Second_node_does_not_open_the_same_packet_again()
    {
        byte[] packet = Seal();
        using PacketOpener first = Opener(Key);
        using PacketOpener second = Opener(Key);
        Assert.Equal(Frames, Open(first, packet, OpenStatus.Ok));
        Assert.Equal(Frames, Open(second, packet, OpenStatus.Ok));
        Assert.Equal((1, 1), (_shared.Misses, _shared.Hits));
    }

    [Fact]
    public void Packet_with_another_header_or_tag_is_opened_by_itself_and_found_forged()
    {
        byte[] packet = Seal();
        using PacketOpener first = Opener(Key);
        Open(first, packet, OpenStatus.Ok);
        int tag = packet.Length - PacketHeader.TagSize;
        foreach (int i in (int[])[CounterOffset, .. Enumerable.Range(tag, PacketHeader.TagSize)])
        {
            byte[] forged = [.. packet];
            forged[i] ^= 2;
            using PacketOpener other = Opener(Key);
            Open(other, forged, OpenStatus.Forged);
            // The forgery did not become what the next node gets.
            Assert.Equal(Frames, Open(other, packet, OpenStatus.Ok));
        }
    }

    [Fact]
    public void What_was_changed_between_header_and_tag_is_not_looked_at()
    {
        byte[] packet = Seal();
        using PacketOpener first = Opener(Key);
        Open(first, packet, OpenStatus.Ok);
        for (int i = PacketHeader.Size; i < packet.Length - PacketHeader.TagSize; i += 7)
        {
            byte[] changed = [.. packet];
            changed[i] ^= 1;
            using PacketOpener other = Opener(Key);
            Assert.Equal(Frames, Open(other, changed, OpenStatus.Ok));
        }

        // The first node of a core opens what it gets.
        _shared.Leave();
        packet[PacketHeader.Size] ^= 1;
        using PacketOpener alone = Opener(Key);
        Open(alone, packet, OpenStatus.Forged);
    }

    [Fact]
    public void What_did_not_open_is_taken_by_nobody()
    {
        byte[] forged = Seal();
        forged[PacketHeader.Size] ^= 1;
        using PacketOpener first = Opener(Key);
        using PacketOpener second = Opener(Key);
        Open(first, forged, OpenStatus.Forged);
        Open(second, forged, OpenStatus.Forged);
        Assert.Equal((2, 0), (_shared.Misses, _shared.Hits));
    }

    [Fact]
    public void Node_with_another_key_of_the_same_epoch_gets_nothing()
    {
        byte[] packet = Seal();
        using PacketOpener first = Opener(Key);
        Open(first, packet, OpenStatus.Ok);
        using PacketOpener stranger = Opener([.. Key.Reverse()]);
        Open(stranger, packet, OpenStatus.Forged);
    }

    [Fact]
    public void Each_node_refuses_a_replay_by_itself()
    {
        byte[] packet = Seal();
        using PacketOpener first = Opener(Key);
        using PacketOpener second = Opener(Key);
        Open(first, packet, OpenStatus.Ok);
        Open(first, packet, OpenStatus.Replay);
        Open(second, packet, OpenStatus.Ok);
        Open(second, packet, OpenStatus.Replay);
    }

    [Fact]
    public void Packets_of_members_and_of_a_node_alone_are_not_kept()
    {
        var member = new PacketSealer(Region, new RegionKey(1, Key), slot: 3);
        using PacketOpener first = Opener(Key);
        Assert.Equal(Frames, Open(first, Seal(member), OpenStatus.Ok));
        _shared.Leave();
        Assert.Equal(Frames, Open(first, Seal(), OpenStatus.Ok));
        Assert.Equal((0, 0), (_shared.Misses, _shared.Hits));
    }

    [Fact]
    public void More_packets_than_are_kept_are_opened_all_the_same()
    {
        byte[][] packets = [.. Enumerable.Range(0, 2 * SharedPackets.CountMax).Select(_ => Seal())];
        using PacketOpener first = Opener(Key);
        using PacketOpener second = Opener(Key);
        Assert.All(packets, p => Assert.Equal(Frames, Open(first, p, OpenStatus.Ok)));
        Assert.All(packets, p => Assert.Equal(Frames, Open(second, p, OpenStatus.Ok)));
    }

    private static byte[] Open(PacketOpener opener, byte[] packet, OpenStatus expected)
    {
        byte[] datagram = [.. packet];
        Assert.Equal(expected, opener.TryOpen(datagram, 0, out _, out ReadOnlySpan<byte> frames));
        return frames.ToArray();
    }

    private PacketOpener Opener(byte[] key)
    {
        var opener = new PacketOpener(Region, new RegionKey(1, key), _shared);
        opener.AllowSlot(0);
        opener.AllowSlot(3);
        return opener;
    }

    private byte[] Seal(PacketSealer? sealer = null)
    {
        byte[] datagram = new byte[WireLimits.DatagramBytesMax];
        Frames.CopyTo(datagram, PacketHeader.Size);
        return datagram[..(sealer ?? _sealer).Seal(datagram, Frames.Length, PacketClass.Data)];
    }
}
