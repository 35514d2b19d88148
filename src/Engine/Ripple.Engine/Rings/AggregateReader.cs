using System.Text;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>
/// The sender's side of a ring: reads finished rounds and writes their acknowledgements. Holds the arrays of one round. Core thread.
/// </summary>
internal sealed class AggregateReader
{
    private readonly RingToken _token = new();
    private bool _hasRead;

    /// <summary>Adds the memory of a reader.</summary>
    public static void AddMemory(MemoryBudget budget)
    {
        ArgumentNullException.ThrowIfNull(budget);
        budget.Add(MemoryScope.Region, MemoryKind.Fixed, "ring: a round as it is read", 1, RingToken.Bytes);
    }

    /// <summary>The view of an aggregate, to look up before <see cref="TryRead"/>. False when it cannot be read.</summary>
    public static bool TryReadView(ReadOnlySpan<byte> payload, out ViewNumber number)
    {
        var reader = new WireReader(payload);
        reader.ReadBytes(AggregateProof.Bytes);
        number = new ViewNumber(reader.ReadU64());
        return reader.IsOk;
    }

    /// <summary>
    /// Reads an aggregate of the given view and part, and reports it to the handler. Throws no exceptions of its own. Any other view, and
    /// positions outside of the part, are malformed; nothing is reported then. Whose it is must have been verified by
    /// <see cref="AggregateProof"/>: only the first member of a part tells its aggregates.
    /// </summary>
    public DecodeStatus TryRead(ReadOnlySpan<byte> payload, RegionView view, RegionPart part, IAggregateHandler handler)
    {
        ArgumentNullException.ThrowIfNull(view);
        ArgumentNullException.ThrowIfNull(handler);
        _hasRead = false;
        DecodeStatus status = payload.Length < AggregateProof.Bytes
            ? DecodeStatus.Malformed
            : RingTokenCodec.TryRead(payload[AggregateProof.Bytes..], _token);
        if (status != DecodeStatus.Ok)
        {
            return status;
        }

        if (_token.View != view.Number.Value || _token.Visited != part.End || !_token.IsWithin(part.First))
        {
            return DecodeStatus.Malformed;
        }

        _hasRead = true;
        foreach (ushort position in _token.Silent)
        {
            handler.OnSilent(position);
        }

        foreach (ref readonly RingTokenStream stream in _token.Streams)
        {
            if (stream.MinPosition != RingTokenStream.NoPosition)
            {
                handler.OnStream(stream.Origin, stream.MinContiguous, stream.MinPosition);
            }
        }

        foreach (RingTokenTopic entry in _token.Topics)
        {
            TellLevels(entry, handler);
        }

        foreach (RingTokenRejection rejection in _token.Rejections)
        {
            handler.OnRejection(
                rejection.Position, rejection.Topic, rejection.Generation, rejection.Release, Encoding.UTF8.GetString(rejection.Reason));
        }

        return DecodeStatus.Ok;
    }

    /// <summary>
    /// Writes the acknowledgement frame of the last round read, with one stream's floor: the sequence up to which every member that counts
    /// has everything. Returns the bytes; 0 when nothing was read or the buffer is too small (41 bytes suffice).
    /// </summary>
    public int WriteAck(Span<byte> frames, ulong origin, ulong floor)
    {
        var writer = new WireWriter(frames);
        ReadOnlySpan<(ulong, ulong)> floors = [(origin, floor)];
        return _hasRead && AggregateAck.TryWrite(_token.View, _token.Round, floors, ref writer) ? writer.Position : 0;
    }

    private void TellLevels(RingTokenTopic entry, IAggregateHandler handler)
    {
        var received = new LevelCursor(_token, entry, 0);
        var persisted = new LevelCursor(_token, entry, 1);
        var applied = new LevelCursor(_token, entry, 2);
        for (int i = 0; i < entry.Covered; i++)
        {
            ulong r = received.Next();
            ulong p = persisted.Next();
            ulong a = applied.Next();
            if ((r | p | a) != 0)
            {
                handler.OnLevels(entry.From + i, entry.Topic, entry.Generation, r, p, a);
            }
        }
    }

    /// <summary>
    /// Walks one level position by position. A value that is not exact reads as 0, because an upper bound must not raise anything.
    /// </summary>
    private struct LevelCursor(RingToken token, RingTokenTopic entry, int level)
    {
        private int _node = -1;
        private int _left;
        private ulong _value;

        public ulong Next()
        {
            if (_left == 0 && token.NextRun(entry, level, ref _node, out byte lag, out ushort run))
            {
                _left = run;
                _value = lag <= RingLimits.LagExactMax ? entry.Base - lag : 0;
            }

            _left--;
            return _value;
        }
    }
}
