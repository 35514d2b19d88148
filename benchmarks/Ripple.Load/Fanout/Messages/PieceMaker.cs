using System.Diagnostics;

namespace Ripple.Load.Fanout.Messages;

/// <summary>Makes the pieces of messages one after the other, topics in turn, in one buffer that is used again. One thread.</summary>
internal sealed class PieceMaker
{
    private readonly int _messageBytes;
    private readonly int _pieces;
    private readonly byte[] _buffer;
    private readonly ulong[] _numbers;
    private int _topic;
    private int _piece;
    private long _messages;

    public PieceMaker(int messageBytes, int topics)
    {
        _messageBytes = messageBytes;
        _pieces = Piece.CountOf(messageBytes);
        _buffer = new byte[Piece.LargestOf(messageBytes)];
        _numbers = new ulong[topics];
        new Random(1).NextBytes(_buffer);
    }

    /// <summary>Messages made whole. Read by other threads too.</summary>
    public long Messages => Volatile.Read(ref _messages);

    /// <summary>True between two messages.</summary>
    public bool IsBetween => _piece == 0;

    /// <summary>Pieces made of a topic.</summary>
    public ulong PiecesOf(int topic) => _numbers[topic];

    /// <summary>The next piece; it stays until the next call.</summary>
    public ReadOnlyMemory<byte> Next(out uint topic)
    {
        topic = (uint)_topic;
        int bytes = Piece.BytesOf(_messageBytes, _piece);
        Piece.Write(_buffer.AsSpan(0, bytes), _numbers[_topic]++, Stopwatch.GetTimestamp(), _piece, _pieces);
        if (++_piece == _pieces)
        {
            _piece = 0;
            _topic = _topic + 1 == _numbers.Length ? 0 : _topic + 1;
            Volatile.Write(ref _messages, _messages + 1);
        }

        return _buffer.AsMemory(0, bytes);
    }
}
