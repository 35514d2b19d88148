using System.Numerics;

namespace Ripple.Load.Events;

/// <summary>
/// What the boxes of one process were shown: a bit an event and box, in a file that outlives the process. Any thread.
/// </summary>
internal sealed class ShownBook : IDisposable
{
    private const int ShownAt = 0;
    private const int TwiceAt = 1;
    private const int DroppedAt = 2;
    private const int HeaderWords = 8;
    private const int WordBits = 64;

    private readonly SharedWords _words;
    private readonly long _rowWords;

    /// <summary>Opens a book, or begins it.</summary>
    /// <param name="path">Its file.</param>
    /// <param name="events">The events, numbered from 0; others are not noted.</param>
    /// <param name="boxes">The boxes of all processes.</param>
    public ShownBook(string path, int events, int boxes)
    {
        Events = events;
        _rowWords = (boxes + WordBits - 1) / WordBits;
        _words = new SharedWords(path, HeaderWords + (events * _rowWords));
    }

    public int Events { get; }

    /// <summary>How many bits there are.</summary>
    public long Shown => Volatile.Read(ref _words[ShownAt]);

    /// <summary>How often a box was shown an event that it had been shown before.</summary>
    public long Twice => Volatile.Read(ref _words[TwiceAt]);

    /// <summary>Events that full queues dropped and told.</summary>
    public long Dropped => Volatile.Read(ref _words[DroppedAt]);

    /// <summary>A box was shown an event, and told how many were dropped before.</summary>
    public void Note(long number, int box, long dropped)
    {
        Interlocked.Add(ref _words[DroppedAt], dropped);
        if (number >= 0 && number < Events)
        {
            bool isAgain = (Interlocked.Or(ref WordOf((int)number, box), BitOf(box)) & BitOf(box)) != 0;
            Interlocked.Increment(ref _words[isAgain ? TwiceAt : ShownAt]);
        }
    }

    /// <summary>Whether a box was shown an event.</summary>
    public bool Has(int number, int box) => (Volatile.Read(ref WordOf(number, box)) & BitOf(box)) != 0;

    /// <summary>How many boxes were shown an event.</summary>
    public int CountOf(int number)
    {
        int count = 0;
        for (long word = 0; word < _rowWords; word++)
        {
            count += BitOperations.PopCount((ulong)Volatile.Read(ref _words[HeaderWords + (number * _rowWords) + word]));
        }

        return count;
    }

    public void Dispose() => _words.Dispose();

    private static long BitOf(int box) => 1L << (box % WordBits);

    private ref long WordOf(int number, int box) => ref _words[HeaderWords + (number * _rowWords) + (box / WordBits)];
}
