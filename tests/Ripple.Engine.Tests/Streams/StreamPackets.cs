using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

/// <summary>Packets made by hand.</summary>
internal static class StreamPackets
{
    public delegate void WriteFrames(ref WireWriter writer);

    /// <summary>All packets the host's stream would send now.</summary>
    public static List<byte[]> PullAll(StreamHost host)
    {
        var packets = new List<byte[]>();
        var frames = new byte[WireLimits.FramesBytesMax];
        int length = host.Sender.PullFrames(frames);
        while (length > 0)
        {
            packets.Add(frames[..length]);
            length = host.Sender.PullFrames(frames);
        }

        return packets;
    }

    /// <summary>A packet with a position and what else is written.</summary>
    public static byte[] Packet(ulong sequence, WriteFrames? write = null, ulong origin = StreamHost.Origin)
    {
        var frames = new byte[32_768];
        var writer = new WireWriter(frames);
        new StreamPosition(origin, sequence).Write(ref writer);
        write?.Invoke(ref writer);
        Assert.False(writer.IsOverflow);
        return frames[..writer.Position];
    }

    /// <summary>A packet with one part of a message.</summary>
    public static byte[] Part(ulong sequence, ulong messageId, uint offset, uint total, int bytes, uint topic = 1) =>
        Packet(sequence, (ref WireWriter writer) => new MessagePart(topic, messageId, offset, total, new byte[bytes]).TryWrite(ref writer));

    /// <summary>The payload of a beacon.</summary>
    public static byte[] Beacon(ulong highest, ulong firstAvailable, ulong floor = 0)
    {
        var frame = new byte[StreamBeacon.FrameBytes];
        var writer = new WireWriter(frame);
        new StreamBeacon(StreamHost.Origin, highest, firstAvailable, new ViewNumber(1, 1), floor).Write(ref writer);
        return frame[FrameReader.HeaderBytes..];
    }
}
