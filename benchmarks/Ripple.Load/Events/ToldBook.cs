namespace Ripple.Load.Events;

/// <summary>What emitters were told of their events, in a file that outlives them. Any thread.</summary>
/// <param name="path">Its file.</param>
/// <param name="events">The events, numbered from 0; others are not noted.</param>
internal sealed class ToldBook(string path, int events) : IDisposable
{
    private const int Begun = 1;
    private const int StageOffset = 2;

    private readonly SharedWords _words = new(path, events);

    public int Events { get; } = events;

    /// <summary>An event is about to be emitted.</summary>
    public void NoteBegun(int number) => Note(number, Begun);

    /// <summary>An emitter was told how far its event is.</summary>
    public void Note(int number, EmitUntil stage) => Note(number, (int)stage + StageOffset);

    /// <summary>Whether it was begun to emit an event, whatever came of it.</summary>
    public bool IsBegun(int number) => Volatile.Read(ref _words[number]) >= Begun;

    /// <summary>Whether an emitter was told that its event is as far.</summary>
    public bool Is(int number, EmitUntil stage) => Volatile.Read(ref _words[number]) >= (int)stage + StageOffset;

    /// <summary>The events from a number on that are as far.</summary>
    public int Count(int first, int count, EmitUntil stage) => Enumerable.Range(first, count).Count(n => Is(n, stage));

    public void Dispose() => _words.Dispose();

    private void Note(int number, int value)
    {
        if (number >= 0)
        {
            Volatile.Write(ref _words[number], value);
        }
    }
}
