using Ripple.Mutants.Commands;
using Ripple.Mutants.Drawing;
using Ripple.Mutants.Lists;
using Ripple.Mutants.Planted;
using Ripple.Mutants.Running;
using Ripple.Mutants.Sources;

namespace Ripple.Mutants;

/// <summary>Judges what the tests and the simulator see, by breaking the product on purpose.</summary>
internal static class Program
{
    private const int SeedDefault = 20_261_122;
    private const int PerRoomDefault = 8;
    private const int WellCode = 0;
    private const int UnseenCode = 1;
    private const int UsageCode = 2;
    private const int UnfitCode = 3;

    private static int Main(string[] arguments)
    {
        CommandLine? line = CommandLine.Parse(arguments, out string error);
        if (line is null)
        {
            Console.Error.WriteLine(error);
            Console.Error.WriteLine(CommandLine.Usage);
            return UsageCode;
        }

        try
        {
            return Run(line) ? WellCode : UnseenCode;
        }
        catch (MutantException e)
        {
            Console.Error.WriteLine(e.Message);
            return UnfitCode;
        }
    }

    private static bool Run(CommandLine line)
    {
        string root = Repository.FindRoot();
        MutantList list = MutantList.Load(root);
        if (line.IsDraw)
        {
            new Draw(root, HeadOf(line, list, root), line.Room, Log).Run();
            return true;
        }

        if (line.IsList)
        {
            line.Choose(list).ForEach(m => Console.WriteLine($"{m.Id}\t{m.Class}\t{m.File}\t{m.Line}\t->\t{m.Becomes}"));
            return true;
        }

        return line.IsPlanted
            ? new PlantedRun(root, list, line, Console.Out, Log).Run()
            : new MutantRun(root, list, line, Console.Out, Log).Run();
    }

    private static DrawHead HeadOf(CommandLine line, MutantList list, string root)
    {
        if (line.Room is null)
        {
            int seed = line.Seed ?? list.Head?.Seed ?? SeedDefault;
            return new DrawHead(seed, Repository.Commit(root), list.Head?.PerRoom ?? PerRoomDefault);
        }

        if (list.Rooms.All(r => r.Name != line.Room))
        {
            throw new MutantException($"There is no room '{line.Room}'; {MutantList.RoomsFile} names them.");
        }

        return list.Head is { } head && (line.Seed ?? head.Seed) == head.Seed
            ? head
            : throw new MutantException("One room is drawn with the seed of the others: leave out --seed, or draw all.");
    }

    private static void Log(string text) => Console.Error.WriteLine($"{DateTime.Now:HH:mm:ss} {text}");
}
