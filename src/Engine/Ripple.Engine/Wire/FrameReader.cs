using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Ripple.Engine.Wire;

/// <summary>
/// Walks the frames of an opened packet: <c>u8 type, u8 flags, u16 length, payload</c>. Flags are zero in this version. A type of zero ends
/// the frames: the rest of the packet is padding, up to the packet size of its train.
/// </summary>
internal ref struct FrameReader
{
    /// <summary>The bytes of the header before each payload.</summary>
    public const int HeaderBytes = 4;

    private ReadOnlySpan<byte> _rest;

    /// <summary>Starts at the first frame.</summary>
    public FrameReader(ReadOnlySpan<byte> frames)
    {
        _rest = frames;
        Type = 0;
        Payload = default;
        Status = DecodeStatus.Ok;
    }

    /// <summary>The failure that ended the walk; Ok if there was none.</summary>
    public DecodeStatus Status { get; private set; }

    /// <summary>The type of the current frame. The caller must skip unknown types.</summary>
    public FrameType Type { get; private set; }

    /// <summary>The payload of the current frame, in place.</summary>
    public ReadOnlySpan<byte> Payload { get; private set; }

    /// <summary>Moves to the next frame; false at the end or at the first malformed one.</summary>
    public bool TryNext()
    {
        DecodeStatus status = ReadHeader(_rest, 0, out FrameType type, out int length);
        if (status != DecodeStatus.Ok || type == FrameType.Padding)
        {
            Status = status;
            _rest = default;
            return false;
        }

        Type = type;
        Payload = _rest.Slice(HeaderBytes, length);
        _rest = _rest[(HeaderBytes + length)..];
        return true;
    }

    /// <summary>
    /// Reads the header of the frame that begins at an offset. Ok with <see cref="FrameType.Padding"/>: there is no further frame. Ok with
    /// another type: the whole payload follows the header.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static DecodeStatus ReadHeader(ReadOnlySpan<byte> frames, int offset, out FrameType type, out int payloadBytes)
    {
        // Every frame of every packet takes this path: the four bytes are read at once, not one by one.
        type = FrameType.Padding;
        payloadBytes = 0;
        ReadOnlySpan<byte> rest = frames[offset..];
        if (rest.IsEmpty || rest[0] == (byte)FrameType.Padding)
        {
            return DecodeStatus.Ok;
        }

        if (rest.Length < HeaderBytes)
        {
            return DecodeStatus.Truncated;
        }

        uint header = BinaryPrimitives.ReadUInt32LittleEndian(rest);
        payloadBytes = (int)(header >> 16);
        if ((header & 0xFF00) != 0)
        {
            return DecodeStatus.Malformed;
        }

        type = (FrameType)(byte)header;
        return payloadBytes > rest.Length - HeaderBytes ? DecodeStatus.Truncated : DecodeStatus.Ok;
    }
}
