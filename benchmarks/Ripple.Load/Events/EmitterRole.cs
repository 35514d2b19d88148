using System.Globalization;

namespace Ripple.Load.Events;

/// <summary>An emitter in a process of its own, which can be killed.</summary>
internal static class EmitterRole
{
    /// <summary>
    /// Arguments: the file of the connection string, that of the book, then dimensions, the events of the book, the window, and the first
    /// of its events and their number. A line begins it; answers when all of them were told.
    /// </summary>
    public static async Task<int> RunAsync(string[] args)
    {
        int[] numbers = [.. args.Skip(2).Select(a => int.Parse(a, CultureInfo.InvariantCulture))];
        using var book = new ToldBook(args[1], numbers[1]);
        await using RippleClient client = await RippleClient.ConnectAsync(
            (await File.ReadAllTextAsync(args[0])).Trim(),
            new RippleClientOptions { Application = EventsProcesses.Application, Name = "emitter", SnapshotMode = SnapshotMode.Off });
        var workload = new EventsWorkload(new EventsOptions { Dimensions = numbers[0] });
        var emitter = new EventsEmitter(client, workload, numbers[2], book) { IsMixed = true };
        Console.WriteLine("ready");
        await Console.In.ReadLineAsync();
        await emitter.EmitAsync(numbers[3], numbers[4]);
        Console.WriteLine("done");
        // What nobody awaits is the client's to bring on: it stays until it is told to end.
        await Console.In.ReadLineAsync();
        return 0;
    }
}
