using System.Buffers.Binary;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>Identifies a packet of a stream: the first frame of a data or repair packet.</summary>
/// <param name="Origin">The incarnation of the stream's sender, even when another node sealed this copy.</param>
/// <param name="Sequence">The packet's number in the stream, from 1.</param>
internal readonly record struct StreamPosition(ulong Origin, ulong Sequence)
{
    /// <summary>The highest sequence: a key's 56-bit counter cannot seal more packets, so no honest stream gets near it.</summary>
    public const ulong SequenceMax = (1UL << 56) - 1;

    /// <summary>The bytes of the payload.</summary>
    public const int PayloadBytes = 16;

    /// <summary>The bytes of the frame.</summary>
    public const int FrameBytes = FrameReader.HeaderBytes + PayloadBytes;

    private const uint FrameHeader = (uint)FrameType.Position | (PayloadBytes << 16);

    /// <summary>True when frames begin with a position: the whole packet is for a stream's receiver.</summary>
    public static bool IsAt(ReadOnlySpan<byte> frames) => !frames.IsEmpty && frames[0] == (byte)FrameType.Position;

    /// <summary>Writes the frame, with its header.</summary>
    public void Write(ref WireWriter writer)
    {
        int start = FrameWriter.Begin(ref writer, FrameType.Position);
        writer.WriteU64(Origin);
        writer.WriteU64(Sequence);
        FrameWriter.End(ref writer, start);
    }

    /// <summary>Reads the frame's payload.</summary>
    public static DecodeStatus Read(ReadOnlySpan<byte> payload, out StreamPosition position)
    {
        var reader = new WireReader(payload);
        position = new StreamPosition(reader.ReadU64(), reader.ReadU64());
        if (reader.IsOk && position.Sequence is 0 or > SequenceMax)
        {
            reader.Fail();
        }

        return reader.End();
    }

    /// <summary>Reads the position at the start of an opened data or repair packet, to find its stream.</summary>
    public static DecodeStatus Peek(ReadOnlySpan<byte> frames, out StreamPosition position)
    {
        // Every data packet takes this path: the frame has one length and no flags, so it is read directly.
        if (frames.Length >= FrameBytes && BinaryPrimitives.ReadUInt32LittleEndian(frames) == FrameHeader)
        {
            position = new StreamPosition(
                BinaryPrimitives.ReadUInt64LittleEndian(frames[4..]), BinaryPrimitives.ReadUInt64LittleEndian(frames[12..]));
            return position.Sequence is 0 or > SequenceMax ? DecodeStatus.Malformed : DecodeStatus.Ok;
        }

        position = default;
        DecodeStatus status = FrameReader.ReadHeader(frames, 0, out FrameType type, out _);
        return status != DecodeStatus.Ok ? status : type == FrameType.Padding ? DecodeStatus.Truncated : DecodeStatus.Malformed;
    }
}
