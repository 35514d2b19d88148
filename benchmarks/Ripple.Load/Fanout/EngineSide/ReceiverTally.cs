using Ripple.Load.Fanout.Messages;

namespace Ripple.Load.Fanout.EngineSide;

/// <summary>What the consumer behind one receiver saw. Written on the core thread; read from others, each value by itself.</summary>
internal sealed class ReceiverTally(int topics)
{
    private readonly ulong[] _next = new ulong[topics];

    /// <summary>Whole messages.</summary>
    public long Messages { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>Pieces that were not the next of their topic.</summary>
    public long OutOfOrder { get; private set; }

    /// <summary>Pieces that were not what was sent.</summary>
    public long Bad { get; set; }

    /// <summary>Packets and frames that no member of the region sends.</summary>
    public long Refused { get; set; }

    /// <summary>Times the stream gave something up.</summary>
    public long Skipped { get; set; }

    public void Take(uint topic, ReadOnlySpan<byte> piece)
    {
        ulong number = Piece.NumberOf(piece);
        if (number != _next[topic])
        {
            OutOfOrder++;
        }

        _next[topic] = number + 1;
        Bytes += piece.Length;
        Messages += Piece.IsLast(piece) ? 1 : 0;
    }
}
