using System.Diagnostics;

namespace Ripple.Load.Events;

/// <summary>Emits events of the workload in the order of their numbers, so many at a time.</summary>
/// <param name="client">Who emits.</param>
/// <param name="workload">The events.</param>
/// <param name="window">How many are under way at a time, until it is told of them what is awaited.</param>
/// <param name="book">Where it notes what it was told.</param>
internal sealed class EventsEmitter(RippleClient client, EventsWorkload workload, int window, ToldBook book)
{
    /// <summary>
    /// Every second event is awaited until it is accepted only, as by who relies on its client to bring it on; else all until they are
    /// delivered.
    /// </summary>
    public bool IsMixed { get; init; }

    /// <summary>Emits events, and awaits all of them.</summary>
    /// <param name="first">The number of the first; events below 0 are not measured.</param>
    /// <param name="count">How many.</param>
    /// <param name="atHalf">What to do when half of them are out, beside the rest; null for nothing.</param>
    public async Task EmitAsync(int first, int count, Func<Task>? atHalf = null)
    {
        var beside = Task.CompletedTask;
        using var room = new SemaphoreSlim(window);
        var emitting = new List<Task>();
        for (int i = 0; i < count; i++)
        {
            if (i == count / 2 && atHalf is not null)
            {
                beside = atHalf();
            }

            await room.WaitAsync();
            emitting.Add(EmitOneAsync(first + i));
        }

        await Task.WhenAll(emitting);
        await beside;

        async Task EmitOneAsync(int number)
        {
            try
            {
                book.NoteBegun(number);
                EmittedEvent told = await client.Space(client.Application).EmitAsync(
                    workload.PointOf(number),
                    EventsWorkload.Payload(number, Stopwatch.GetTimestamp()),
                    IsMixed && number % 2 != 0 ? EmitUntil.Accepted : EmitUntil.Delivered);
                book.Note(number, told.Stage);
            }
            finally
            {
                room.Release();
            }
        }
    }
}
