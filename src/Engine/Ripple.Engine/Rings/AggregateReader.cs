using System.Buffers.Binary;
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
    public static void AddMemory(MemoryBudget budget) =>
        budget.Add(MemoryScope.Region, MemoryKind.Fixed, "ring: a round as it is read", 1, RingToken.Bytes);

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
    /// positions outside of the part or before its leader, are malformed; nothing is reported then. Whose it is must have been verified by
    /// <see cref="AggregateProof"/>.
    /// </summary>
    /// <param name="payload">The payload.</param>
    /// <param name="view">The view it must be of.</param>
    /// <param name="part">The part it must be of.</param>
    /// <param name="handler">Told what is in it.</param>
    /// <param name="rank">The place in the part of the member that tells it: its rounds have that rank.</param>
    public DecodeStatus TryRead(
        ReadOnlySpan<byte> payload, RegionView view, RegionPart part, IAggregateHandler handler, int rank = 0)
    {
        _hasRead = false;
        DecodeStatus status = payload.Length < AggregateProof.Bytes
            ? DecodeStatus.Malformed
            : RingTokenCodec.TryRead(payload[AggregateProof.Bytes..], _token);
        if (status != DecodeStatus.Ok)
        {
            return status;
        }

        if (_token.View != view.Number.Value || _token.Visited != part.End || !_token.IsWithin(part.First + rank)
            || RoundNumber.RankOf(_token.Round, view) != rank)
        {
            return DecodeStatus.Malformed;
        }

        _hasRead = true;
        handler.OnRound(_token.IsQuiet);
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
    /// has everything. Returns the bytes; 0 when nothing was read or the buffer is too small (46 bytes suffice).
    /// </summary>
    /// <param name="frames">Where to write.</param>
    /// <param name="origin">The stream.</param>
    /// <param name="floor">Its floor.</param>
    /// <param name="route">Which way the next aggregate is to come; of an older member always straight, the default.</param>
    public int WriteAck(Span<byte> frames, ulong origin, ulong floor, AggregateRoute route = default)
    {
        var writer = new WireWriter(frames);
        ReadOnlySpan<(ulong, ulong)> floors = [(origin, floor)];
        return _hasRead && AggregateAck.TryWrite(_token.View, _token.Round, floors, route, ref writer) ? writer.Position : 0;
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

/// <summary>
/// Receives the content of a finished round, position by position; a position is an index into the members of the view it was read with.
/// Levels are lower bounds of the members' reports: use them only to raise values. They are only as trustworthy as the members of the
/// region.
/// </summary>
internal interface IAggregateHandler
{
    /// <summary>A round follows. Called before all others.</summary>
    /// <param name="isQuiet">Whether it asked no member for an answer, and so found nobody silent.</param>
    void OnRound(bool isQuiet);

    /// <summary>A member did not answer in this round.</summary>
    void OnSilent(int position);

    /// <summary>
    /// All members of one stream that count and answered have everything up to <paramref name="minContiguous"/>, held back by the member at
    /// <paramref name="minPosition"/>.
    /// </summary>
    void OnStream(ulong origin, ulong minContiguous, int minPosition);

    /// <summary>Levels of one member in one topic; 0 where unknown, or not exact.</summary>
    void OnLevels(int position, uint topic, uint generation, ulong received, ulong persisted, ulong applied);

    /// <summary>A member rejected a release. Repeated until a round that contains it was acknowledged.</summary>
    void OnRejection(int position, uint topic, uint generation, ulong release, string reason);
}

/// <summary>
/// The proof of who tells an aggregate, at the beginning of its payload: <c>16 B tag, u64 count</c>, then the token. The tag covers all
/// behind it, the region and the slot. The count grows with every transmission under one member key, so that none is believed twice.
/// </summary>
internal static class AggregateProof
{
    /// <summary>The bytes before the token.</summary>
    public const int Bytes = MemberKey.TagBytes + sizeof(ulong);

    /// <summary>Writes the proof before a token that is in place.</summary>
    /// <param name="payload">The payload; its first <see cref="Bytes"/> bytes are written.</param>
    /// <param name="key">The key of the member that tells it.</param>
    /// <param name="count">A number above that of every transmission before.</param>
    public static void Write(Span<byte> payload, MemberKey key, ulong count)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(payload[MemberKey.TagBytes..], count);
        key.Sign(payload[MemberKey.TagBytes..], payload[..MemberKey.TagBytes]);
    }

    /// <summary>Whether the member with this key wrote the payload.</summary>
    /// <param name="payload">The payload of an aggregate frame.</param>
    /// <param name="key">The key of the member whose slot sealed it.</param>
    /// <param name="count">The number of the transmission: the caller refuses one that is not above the last.</param>
    public static bool TryVerify(ReadOnlySpan<byte> payload, MemberKey key, out ulong count)
    {
        count = 0;
        if (payload.Length < Bytes || !key.IsTagOf(payload[MemberKey.TagBytes..], payload[..MemberKey.TagBytes]))
        {
            return false;
        }

        count = BinaryPrimitives.ReadUInt64LittleEndian(payload[MemberKey.TagBytes..]);
        return true;
    }
}
