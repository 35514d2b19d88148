using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// A message frame: a message, or a part of one. The parts of a message are in consecutive packets: a part that does not end its message is
/// the last message frame of its packet, and one that does not begin it is the first.
/// </summary>
internal readonly ref struct MessagePart
{
    /// <summary>The overhead of a message frame, in bytes: the frame header and the fields.</summary>
    public const int OverheadBytes = FrameReader.HeaderBytes + FieldsBytes;

    private const int FieldsBytes = 20;

    /// <summary>Makes a part.</summary>
    public MessagePart(uint topic, ulong messageId, uint offset, uint total, ReadOnlySpan<byte> bytes)
    {
        Topic = topic;
        MessageId = messageId;
        Offset = offset;
        Total = total;
        Bytes = bytes;
    }

    /// <summary>The application the message belongs to.</summary>
    public uint Topic { get; }

    /// <summary>The message's number in its stream.</summary>
    public ulong MessageId { get; }

    /// <summary>Where the part begins in the message.</summary>
    public uint Offset { get; }

    /// <summary>The length of the whole message, in bytes.</summary>
    public uint Total { get; }

    /// <summary>The part's bytes, in place.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Where the part ends in the message.</summary>
    public uint End => Offset + (uint)Bytes.Length;

    /// <summary>True when the part is the message.</summary>
    public bool IsWhole => Offset == 0 && End == Total;

    /// <summary>Writes the frame, with its header. False when it does not fit.</summary>
    public bool TryWrite(ref WireWriter writer)
    {
        int start = FrameWriter.Begin(ref writer, FrameType.Message);
        writer.WriteU32(Topic);
        writer.WriteU64(MessageId);
        writer.WriteU32(Offset);
        writer.WriteU32(Total);
        writer.WriteBytes(Bytes);
        return FrameWriter.End(ref writer, start);
    }

    /// <summary>
    /// Reads the frame's payload; the part refers to its bytes. A part outside its message, an empty part of a message that is not empty,
    /// and a message above <see cref="WireLimits.MessageBytesMax"/> are malformed.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static DecodeStatus Read(ReadOnlySpan<byte> payload, out MessagePart part)
    {
        part = default;
        if (payload.Length < FieldsBytes)
        {
            return DecodeStatus.Truncated;
        }

        uint offset = BinaryPrimitives.ReadUInt32LittleEndian(payload[12..]);
        uint total = BinaryPrimitives.ReadUInt32LittleEndian(payload[16..]);
        ReadOnlySpan<byte> bytes = payload[FieldsBytes..];
        if (total > WireLimits.MessageBytesMax || offset > total || (uint)bytes.Length > total - offset || (bytes.IsEmpty && total > 0))
        {
            return DecodeStatus.Malformed;
        }

        part = ReadSound(payload);
        return DecodeStatus.Ok;
    }

    /// <summary>Reads a payload that <see cref="Read"/> accepted.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static MessagePart ReadSound(ReadOnlySpan<byte> payload) => new(
        BinaryPrimitives.ReadUInt32LittleEndian(payload),
        BinaryPrimitives.ReadUInt64LittleEndian(payload[4..]),
        BinaryPrimitives.ReadUInt32LittleEndian(payload[12..]),
        BinaryPrimitives.ReadUInt32LittleEndian(payload[16..]),
        payload[FieldsBytes..]);
}
