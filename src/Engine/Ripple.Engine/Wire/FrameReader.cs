using System.Buffers.Binary;

namespace Ripple.Engine.Wire;

/// <summary>Walks the frames of an opened packet: <c>u8 type, u8 flags, u16 length, payload</c>. Flags are zero in this version. A type of zero ends the frames:
/// what follows fills the packet up to the size of its train.</summary>
public ref struct FrameReader
{
    /// <summary>The bytes before each payload.</summary>
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

    /// <summary>What went wrong, if anything did.</summary>
    public DecodeStatus Status { get; private set; }

    /// <summary>The type of the current frame. Unknown types are the caller's to skip.</summary>
    public FrameType Type { get; private set; }

    /// <summary>The payload of the current frame, in place.</summary>
    public ReadOnlySpan<byte> Payload { get; private set; }

    /// <summary>Moves to the next frame; false at the end or at the first malformed one.</summary>
    public bool TryNext()
    {
        // Every frame of every packet comes by here: the four bytes are read straight, and not one by one.
        if (_rest.IsEmpty || _rest[0] == (byte)FrameType.Padding)
        {
            _rest = default;
            return false;
        }

        if (_rest.Length < HeaderBytes)
        {
            return Fail(DecodeStatus.Truncated);
        }

        uint header = BinaryPrimitives.ReadUInt32LittleEndian(_rest);
        if ((header & 0xFF00) != 0)
        {
            return Fail(DecodeStatus.Malformed);
        }

        int length = (int)(header >> 16);
        if (length > _rest.Length - HeaderBytes)
        {
            return Fail(DecodeStatus.Truncated);
        }

        Type = (FrameType)(byte)header;
        Payload = _rest.Slice(HeaderBytes, length);
        _rest = _rest[(HeaderBytes + length)..];
        return true;
    }

    private bool Fail(DecodeStatus status)
    {
        Status = status;
        _rest = default;
        return false;
    }
}
