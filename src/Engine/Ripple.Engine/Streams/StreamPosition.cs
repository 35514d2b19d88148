using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>Which packet of which stream: the first frame of a data or repair packet.</summary>
/// <param name="Origin">The incarnation of the stream's sender, whoever sealed this copy.</param>
/// <param name="Sequence">The packet's number in the stream, from 1.</param>
public readonly record struct StreamPosition(ulong Origin, ulong Sequence)
{
    /// <summary>The highest sequence: no key seals more packets than its 56-bit counter has numbers, so no honest stream gets near it.</summary>
    public const ulong SequenceMax = (1UL << 56) - 1;

    /// <summary>The bytes of the payload.</summary>
    public const int PayloadBytes = 16;

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

    /// <summary>Reads the position that an opened data or repair packet begins with, to find whose it is.</summary>
    public static DecodeStatus Peek(ReadOnlySpan<byte> frames, out StreamPosition position)
    {
        var reader = new FrameReader(frames);
        if (reader.TryNext())
        {
            if (reader.Type == FrameType.Position)
            {
                return Read(reader.Payload, out position);
            }

            position = default;
            return DecodeStatus.Malformed;
        }

        position = default;
        return reader.Status == DecodeStatus.Ok ? DecodeStatus.Truncated : reader.Status;
    }
}
