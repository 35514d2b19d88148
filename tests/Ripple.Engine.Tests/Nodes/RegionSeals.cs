using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Tests.Streams;
using Ripple.Engine.Tests.Wire;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>Seals packets as the host or any member of a region, and opens what one member sent.</summary>
internal sealed class RegionSeals : IDisposable
{
    private readonly Dictionary<(uint Slot, uint Epoch), PacketSealer> _sealers = [];
    private readonly List<RegionKey> _keys = [];

    /// <summary>The next packet of a slot under the key of an epoch.</summary>
    public byte[] Seal(uint slot, uint epoch, PacketClass packetClass, byte[] frames)
    {
        if (!_sealers.TryGetValue((slot, epoch), out PacketSealer? sealer))
        {
            RegionKey key = Sealing.Key(epoch);
            _keys.Add(key);
            sealer = new PacketSealer(Sealing.RegionId, key, slot);
            _sealers.Add((slot, epoch), sealer);
        }

        return Sealing.Seal(sealer, packetClass, frames);
    }

    /// <summary>A beacon of the host's stream, as a frame.</summary>
    public static byte[] Beacon(ulong highest, ulong firstAvailable)
    {
        byte[] frame = new byte[StreamBeacon.FrameBytes];
        var writer = new WireWriter(frame);
        new StreamBeacon(StreamHost.Origin, highest, firstAvailable, new(1, 1), 0).Write(ref writer);
        return frame;
    }

    /// <summary>A packet of the host's stream that holds one message.</summary>
    public static byte[] Message(ulong sequence, uint topic, byte[] message) => StreamPackets.Packet(
        sequence,
        (ref WireWriter writer) => new MessagePart(topic, sequence, 0, (uint)message.Length, message).TryWrite(ref writer));

    /// <summary>The packets of the host's stream that one message fills, from a sequence on.</summary>
    public static List<byte[]> Messages(ref ulong sequence, uint topic, byte[] message)
    {
        const int PartBytes = 1_300;
        var packets = new List<byte[]>();
        ulong id = sequence;
        for (int offset = 0; offset < message.Length; offset += PartBytes)
        {
            (uint at, int length) = ((uint)offset, Math.Min(PartBytes, message.Length - offset));
            packets.Add(StreamPackets.Packet(
                sequence++,
                (ref WireWriter writer) => new MessagePart(topic, id, at, (uint)message.Length, message.AsSpan((int)at, length))
                    .TryWrite(ref writer)));
        }

        return packets;
    }

    /// <summary>The requests for repair among datagrams: where to, under which key, for which sequences.</summary>
    public static IReadOnlyList<(NodeAddress To, uint Epoch, ulong[] Sequences)> Naks(
        uint slot, IEnumerable<(NodeAddress To, byte[] Datagram)> sent)
    {
        var naks = new List<(NodeAddress, uint, ulong[])>();
        foreach ((NodeAddress to, byte[] datagram) in sent)
        {
            Assert.Equal(PacketHeaderStatus.Ok, PacketHeader.TryRead(datagram, out PacketHeader header));
            if (header.Class != PacketClass.Nak)
            {
                continue;
            }

            using PacketOpener opener = Sealing.Opener(header.KeyEpoch, slot);
            Assert.Equal(OpenStatus.Ok, opener.TryOpen((byte[])[.. datagram], 0, out _, out ReadOnlySpan<byte> frames));
            var reader = new FrameReader(frames);
            Assert.True(reader.TryNext());
            Assert.Equal(FrameType.Nak, reader.Type);
            ulong[] missing = new ulong[NakFrame.WordsMax];
            Assert.Equal(DecodeStatus.Ok, NakFrame.Read(reader.Payload, out ulong origin, out ulong start, missing, out int count));
            Assert.Equal(StreamHost.Origin, origin);
            naks.Add((to, header.KeyEpoch, Sequences(start, missing.AsSpan(0, count))));
        }

        return naks;
    }

    /// <summary>The sequences that a request's words name.</summary>
    public static ulong[] Sequences(ulong start, ReadOnlySpan<ulong> missing)
    {
        var sequences = new List<ulong>();
        for (int bit = 0; bit < missing.Length * 64; bit++)
        {
            if ((missing[bit / 64] >> (bit % 64) & 1) != 0)
            {
                sequences.Add(start + (ulong)bit);
            }
        }

        return [.. sequences];
    }

    public void Dispose() => _keys.ForEach(key => key.Dispose());
}
