namespace Ripple.Engine.Wire;

/// <summary>Walks the frames of an opened packet: <c>u8 type, u8 flags, u16 length, payload</c>. Flags are zero in this version. A type of zero ends the frames:
/// what follows fills the packet up to the size of its train.</summary>
public ref struct FrameReader
{
    /// <summary>The bytes before each payload.</summary>
    public const int HeaderBytes = 4;

    private WireReader _reader;

    /// <summary>Starts at the first frame.</summary>
    public FrameReader(ReadOnlySpan<byte> frames)
    {
        _reader = new WireReader(frames);
        Type = 0;
        Payload = default;
    }

    /// <summary>What went wrong, if anything did.</summary>
    public readonly DecodeStatus Status => _reader.Status;

    /// <summary>The type of the current frame. Unknown types are the caller's to skip.</summary>
    public FrameType Type { get; private set; }

    /// <summary>The payload of the current frame, in place.</summary>
    public ReadOnlySpan<byte> Payload { get; private set; }

    /// <summary>Moves to the next frame; false at the end or at the first malformed one.</summary>
    public bool TryNext()
    {
        if (_reader.RemainingBytes < HeaderBytes)
        {
            return EndCut();
        }

        uint header = _reader.ReadU32();
        Type = (FrameType)(byte)header;
        if (Type == FrameType.Padding)
        {
            _reader.ReadRest();
            return false;
        }

        if ((header & 0xFF00) != 0)
        {
            _reader.Fail();
        }

        Payload = _reader.ReadBytes((int)(header >> 16));
        return _reader.IsOk;
    }

    /// <summary>Less than a header is left: padding, or a packet that was cut.</summary>
    private bool EndCut()
    {
        if (_reader.RemainingBytes > 0)
        {
            Type = (FrameType)_reader.ReadU8();
            if (Type != FrameType.Padding)
            {
                _reader.Fail(_reader.ReadU8() == 0 ? DecodeStatus.Truncated : DecodeStatus.Malformed);
            }

            _reader.ReadRest();
        }

        return false;
    }
}
