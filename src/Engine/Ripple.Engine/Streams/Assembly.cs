using System.Runtime.InteropServices;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Streams;

/// <summary>One message in assembly: its buffer, and which of its bytes have arrived. Reused for one message after another.</summary>
/// <param name="rooms">The memory of all assemblies of a receiver.</param>
/// <param name="roomAt">Where this assembly's <see cref="RoomBytes"/> begin in it.</param>
/// <param name="buffers">The source of buffers for messages that do not fit into its own room.</param>
internal sealed class Assembly(byte[] rooms, int roomAt, AssemblyBuffers buffers)
{
    /// <summary>The bytes of a receiver's memory that one assembly uses.</summary>
    public const int RoomBytes = RangeBytes + OwnBytes;

    /// <summary>The bytes of the object itself.</summary>
    public const int ObjectBytes = MemoryBudget.ObjectBytes + (5 * sizeof(long)) + (6 * sizeof(int));

    // A message has at most 90 parts of full packets, so at most 45 of them can be isolated.
    private const int RangesMax = 64;
    private const int RangeBytes = RangesMax * 2 * sizeof(uint);
    private const int OwnBytes = 1_536;
    private byte[] _buffer = [];
    private int _bufferAt;
    // Everything before this has arrived. Parts mostly arrive in order, and then nothing else is needed; bytes beyond a hole are in the
    // ranges.
    private uint _filled;
    private int _rangeCount;

    public ulong MessageId { get; private set; }

    public uint Topic { get; private set; }

    public uint Total { get; private set; }

    /// <summary>The highest sequence in which a part arrived.</summary>
    public ulong SequenceMax { get; private set; }

    public bool IsComplete => _filled == Total;

    /// <summary>True from <see cref="Begin"/> to <see cref="End"/>.</summary>
    public bool IsInUse { get; private set; }

    /// <summary>True when bytes before the last one that arrived are missing.</summary>
    public bool HasHole => _rangeCount != 0;

    public ReadOnlySpan<byte> Bytes => _buffer.AsSpan(_bufferAt, (int)Total);

    private Span<Range> Ranges => MemoryMarshal.Cast<byte, Range>(rooms.AsSpan(roomAt, RangeBytes));

    public void Begin(in MessagePart part)
    {
        IsInUse = true;
        MessageId = part.MessageId;
        Topic = part.Topic;
        Total = part.Total;
        SequenceMax = 0;
        _filled = 0;
        _rangeCount = 0;
        bool isOwn = part.Total <= OwnBytes;
        _buffer = isOwn ? rooms : buffers.Rent((int)part.Total);
        _bufferAt = isOwn ? roomAt + RangeBytes : 0;
    }

    public void End()
    {
        if (!ReferenceEquals(_buffer, rooms))
        {
            buffers.Return(_buffer);
        }

        _buffer = [];
        IsInUse = false;
    }

    /// <summary>
    /// Whether the part can be taken: it belongs to this message, does not overlap bytes that have arrived, and does not need one range too
    /// many.
    /// </summary>
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

        Span<Range> ranges = Ranges;
        int next = NextRange(ranges, part.Offset);
        if ((next > 0 && ranges[next - 1].End > part.Offset) || (next < _rangeCount && ranges[next].Start < part.End))
        {
            return ReceiveStatus.Malformed;
        }

        bool isApart = part.Offset != _filled && (next == 0
            || ranges[next - 1].End != part.Offset) && (next == _rangeCount || ranges[next].Start != part.End);
        return isApart && _rangeCount == RangesMax ? ReceiveStatus.NoRoom : ReceiveStatus.Accepted;
    }

    /// <summary>Whether the part, which must have been examined, is all that is missing.</summary>
    public bool WouldComplete(in MessagePart part) => PresentBytes() + (uint)part.Bytes.Length == Total;

    /// <summary>Adds a part, which must have been examined.</summary>
    public void Add(in MessagePart part, ulong sequence)
    {
        part.Bytes.CopyTo(_buffer.AsSpan(_bufferAt + (int)part.Offset));
        SequenceMax = Math.Max(SequenceMax, sequence);
        Span<Range> ranges = Ranges;
        if (part.Offset == _filled)
        {
            _filled = part.End;
            if (_rangeCount > 0 && ranges[0].Start == _filled)
            {
                _filled = ranges[0].End;
                RemoveRange(ranges, 0);
            }

            return;
        }

        int next = NextRange(ranges, part.Offset);
        bool joinsBefore = next > 0 && ranges[next - 1].End == part.Offset;
        bool joinsAfter = next < _rangeCount && ranges[next].Start == part.End;
        if (joinsBefore && joinsAfter)
        {
            ranges[next - 1].End = ranges[next].End;
            RemoveRange(ranges, next);
        }
        else if (joinsBefore)
        {
            ranges[next - 1].End = part.End;
        }
        else if (joinsAfter)
        {
            ranges[next].Start = part.Offset;
        }
        else
        {
            ranges[next.._rangeCount].CopyTo(ranges[(next + 1)..]);
            ranges[next] = new Range(part.Offset, part.End);
            _rangeCount++;
        }
    }

    private void RemoveRange(Span<Range> ranges, int index)
    {
        ranges[(index + 1).._rangeCount].CopyTo(ranges[index..]);
        _rangeCount--;
    }

    /// <summary>The first range that starts at or after an offset.</summary>
    private int NextRange(ReadOnlySpan<Range> ranges, uint offset)
    {
        int next = 0;
        while (next < _rangeCount && ranges[next].Start < offset)
        {
            next++;
        }

        return next;
    }

    private uint PresentBytes()
    {
        uint present = _filled;
        foreach (Range range in Ranges[.._rangeCount])
        {
            present += range.End - range.Start;
        }

        return present;
    }

    /// <summary>Bytes that have arrived beyond a hole.</summary>
    private record struct Range(uint Start, uint End);
}
