using System.Buffers;

namespace Ripple.Engine.Streams;

/// <summary>One message of which parts arrived: its buffer, and which bytes of it are there.</summary>
internal sealed class Assembly
{
    // A message has at most 90 parts of full packets, so at most 45 of them can stand apart.
    private const int RangesMax = 64;
    private const int OwnBytes = 4_096;
    private readonly uint[] _starts = new uint[RangesMax];
    private readonly uint[] _ends = new uint[RangesMax];
    // Kept from message to message: most that do not fit one packet fit two or three, and a pool that others use too runs dry under loss.
    private byte[] _own = [];
    private byte[] _buffer = [];
    // Everything before this is there: parts mostly come in order, and then this is all there is to know. What lies apart stands in the ranges.
    private uint _filled;
    private int _rangeCount;

    public ulong MessageId { get; private set; }

    public uint Topic { get; private set; }

    public uint Total { get; private set; }

    /// <summary>The highest packet a part came in.</summary>
    public ulong SequenceMax { get; private set; }

    public bool IsComplete => _filled == Total;

    /// <summary>True when something before the last byte there is missing.</summary>
    public bool HasHole => _rangeCount != 0;

    public ReadOnlySpan<byte> Bytes => _buffer.AsSpan(0, (int)Total);

    public void Begin(in MessagePart part, ArrayPool<byte> pool)
    {
        MessageId = part.MessageId;
        Topic = part.Topic;
        Total = part.Total;
        SequenceMax = 0;
        _filled = 0;
        _rangeCount = 0;
        if (part.Total <= OwnBytes)
        {
            _buffer = _own = _own.Length == 0 ? new byte[OwnBytes] : _own;
            return;
        }

        _buffer = pool.Rent((int)part.Total);
    }

    public void End(ArrayPool<byte> pool)
    {
        if (!ReferenceEquals(_buffer, _own))
        {
            pool.Return(_buffer);
        }

        _buffer = [];
    }

    /// <summary>Whether the part can be taken: not one of another message under the same number, not over bytes that are there, not one range too many.</summary>
    public ReceiveStatus Examine(in MessagePart part)
    {
        if (part.Topic != Topic || part.Total != Total)
        {
            return ReceiveStatus.Malformed;
        }

        if (part.Offset < _filled)
        {
            return ReceiveStatus.Malformed;
        }

        if (_rangeCount == 0)
        {
            return ReceiveStatus.Accepted;
        }

        int next = NextRange(part.Offset);
        if ((next > 0 && _ends[next - 1] > part.Offset) || (next < _rangeCount && _starts[next] < part.End))
        {
            return ReceiveStatus.Malformed;
        }

        bool isApart = part.Offset != _filled && (next == 0 || _ends[next - 1] != part.Offset) && (next == _rangeCount || _starts[next] != part.End);
        return isApart && _rangeCount == RangesMax ? ReceiveStatus.NoRoom : ReceiveStatus.Accepted;
    }

    /// <summary>Whether the part, which was examined, is all that is missing.</summary>
    public bool WouldComplete(in MessagePart part) => PresentBytes() + (uint)part.Bytes.Length == Total;

    /// <summary>Takes a part that was examined.</summary>
    public void Add(in MessagePart part, ulong sequence)
    {
        part.Bytes.CopyTo(_buffer.AsSpan((int)part.Offset));
        SequenceMax = Math.Max(SequenceMax, sequence);
        if (part.Offset == _filled)
        {
            _filled = part.End;
            if (_rangeCount > 0 && _starts[0] == _filled)
            {
                _filled = _ends[0];
                RemoveRange(0);
            }

            return;
        }

        int next = NextRange(part.Offset);
        bool joinsBefore = next > 0 && _ends[next - 1] == part.Offset;
        bool joinsAfter = next < _rangeCount && _starts[next] == part.End;
        if (joinsBefore && joinsAfter)
        {
            _ends[next - 1] = _ends[next];
            RemoveRange(next);
        }
        else if (joinsBefore)
        {
            _ends[next - 1] = part.End;
        }
        else if (joinsAfter)
        {
            _starts[next] = part.Offset;
        }
        else
        {
            Array.Copy(_starts, next, _starts, next + 1, _rangeCount - next);
            Array.Copy(_ends, next, _ends, next + 1, _rangeCount - next);
            _starts[next] = part.Offset;
            _ends[next] = part.End;
            _rangeCount++;
        }
    }

    private void RemoveRange(int index)
    {
        _rangeCount--;
        Array.Copy(_starts, index + 1, _starts, index, _rangeCount - index);
        Array.Copy(_ends, index + 1, _ends, index, _rangeCount - index);
    }

    /// <summary>The first range that starts at or behind an offset.</summary>
    private int NextRange(uint offset)
    {
        int next = 0;
        while (next < _rangeCount && _starts[next] < offset)
        {
            next++;
        }

        return next;
    }

    private uint PresentBytes()
    {
        uint present = _filled;
        for (int i = 0; i < _rangeCount; i++)
        {
            present += _ends[i] - _starts[i];
        }

        return present;
    }
}
