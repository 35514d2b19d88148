using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

public sealed class StreamCodecTests
{
    [Fact]
    public void Frames_have_the_layout_that_is_written_down()
    {
        var bytes = new byte[64];
        var writer = new WireWriter(bytes);
        new StreamPosition(0x0102030405060708, 0x0A).Write(ref writer);
        new MessagePart(2, 3, 4, 9, new byte[] { 0xAA, 0xBB }).TryWrite(ref writer);
        Assert.Equal(
            "0100100008070605040302010A00000000000000" + "020016000200000003000000000000000400000009000000AABB",
            Convert.ToHexString(writer.Written));
        writer = new WireWriter(bytes);
        new StreamBeacon(1, 5, 4, new ViewNumber(1, 2), 3).Write(ref writer);
        Assert.Equal(
            "03002800" + "0100000000000000" + "0500000000000000" + "0400000000000000" + "0200000001000000" + "0300000000000000",
            Convert.ToHexString(writer.Written));
        writer = new WireWriter(bytes);
        NakFrame.Write(ref writer, 1, 64, [0x180]);
        Assert.Equal(
            "04001800" + "0100000000000000" + "4000000000000000" + "0100" + "0000" + "0700" + "0200", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void Every_shorter_or_longer_payload_is_refused()
    {
        byte[] beacon = StreamPackets.Beacon(9, 3, 2);
        byte[] nak = StreamRepairTests.Nak(1, [1, .. Enumerable.Range(10, 70).Select(i => (ulong)i * 2)]);
        byte[] position = StreamPackets.Packet(5)[FrameReader.HeaderBytes..];
        Assert.Equal(DecodeStatus.Ok, StreamBeacon.Read(beacon, out _));
        Assert.Equal(DecodeStatus.Ok, StreamPosition.Read(position, out _));
        var missing = new ulong[NakFrame.WordsMax];
        Assert.Equal(DecodeStatus.Ok, NakFrame.Read(nak, out _, out _, missing, out int count));
        Assert.Equal(3, count);
        for (int length = 0; length < nak.Length; length++)
        {
            Assert.NotEqual(DecodeStatus.Ok, NakFrame.Read(nak.AsSpan(0, length), out _, out _, missing, out count));
            Assert.Equal(0, count);
        }

        for (int length = 0; length < beacon.Length; length++)
        {
            Assert.Equal(DecodeStatus.Truncated, StreamBeacon.Read(beacon.AsSpan(0, length), out _));
        }

        for (int length = 0; length < position.Length; length++)
        {
            Assert.Equal(DecodeStatus.Truncated, StreamPosition.Read(position.AsSpan(0, length), out _));
        }

        Assert.Equal(DecodeStatus.Malformed, StreamBeacon.Read([.. beacon, 0], out _));
        Assert.Equal(DecodeStatus.Malformed, StreamPosition.Read([.. position, 0], out _));
        Assert.Equal(DecodeStatus.Malformed, NakFrame.Read([.. nak, 0], out _, out _, missing, out _));
    }

    [Fact]
    public void Lying_values_are_refused()
    {
        Assert.Equal(DecodeStatus.Malformed, StreamBeacon.Read(StreamPackets.Beacon(5, 7), out _));
        Assert.Equal(DecodeStatus.Malformed, StreamBeacon.Read(StreamPackets.Beacon(5, 0), out _));
        Assert.Equal(DecodeStatus.Malformed, StreamBeacon.Read(StreamPackets.Beacon(5, 1, 6), out _));
        Assert.Equal(DecodeStatus.Malformed, StreamBeacon.Read(StreamPackets.Beacon(ulong.MaxValue, 1), out _));
        Assert.Equal(DecodeStatus.Ok, StreamBeacon.Read(StreamPackets.Beacon(5, 6, 5), out _));
    }

    [Fact]
    public void Random_and_damaged_bytes_throw_nowhere()
    {
        var random = new DeterministicRandom(2024);
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        member.Keeps = false;
        StreamWindowTests.Queue(host, 5);
        network.Run(1_000_000);
        byte[][] good =
        [
            StreamPackets.Packet(50, (ref WireWriter w) => new MessagePart(1, 9, 0, 500, new byte[200]).TryWrite(ref w)),
            StreamPackets.Beacon(70, 4),
            StreamRepairTests.Nak(StreamHost.Origin, 1, 2, 4),
            StreamRepairTests.Nak(StreamHost.Origin, [.. Enumerable.Range(1, 90).Select(i => (ulong)i * 3)]),
        ];
        var missing = new ulong[NakFrame.WordsMax];
        for (int i = 0; i < FuzzCount.Value; i++)
        {
            byte[] bytes;
            if (random.NextBool(0.5))
            {
                bytes = new byte[random.NextInt32(300)];
                Fill(bytes, random);
            }
            else
            {
                bytes = [.. good[random.NextInt32(good.Length)]];
                for (int flips = random.NextInt32(4); flips >= 0; flips--)
                {
                    bytes[random.NextInt32(bytes.Length)] ^= (byte)(1 << random.NextInt32(8));
                }

                bytes = bytes[..(random.NextBool(0.8) ? bytes.Length : random.NextInt32(bytes.Length))];
            }

            StreamPosition.Peek(bytes, out _);
            StreamPosition.Read(bytes, out _);
            StreamBeacon.Read(bytes, out _);
            NakFrame.Read(bytes, out _, out _, missing, out _);
            MessagePart.Read(bytes, out _);
            host.Sender.OnNak(member.DataPort.LocalAddress, member.ControlPort.LocalAddress, bytes);
            member.Receiver.OnFrames(bytes);
            member.Receiver.OnBeacon(bytes);
            Assert.InRange(member.Receiver.AssemblyBytes, 0, StreamOptions.Default.AssemblyBytesMax);
            if (i % 100 == 0)
            {
                network.Run(1_000_000);
            }
        }

        Assert.True(member.Receiver.Counters.Malformed > FuzzCount.Value / 2);
    }

    private static void Fill(Span<byte> bytes, DeterministicRandom random)
    {
        foreach (ref byte b in bytes)
        {
            b = (byte)random.NextUInt64();
        }
    }
}
