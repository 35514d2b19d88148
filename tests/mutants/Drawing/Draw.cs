using Ripple.Mutants.Building;
using Ripple.Mutants.Lists;
using Ripple.Mutants.Running;
using Ripple.Mutants.Sources;

namespace Ripple.Mutants.Drawing;

/// <summary>
/// Draws the mutants of all rooms, or of one anew, and builds them. What the compiler refuses is noted as left out, and the next in the
/// order takes its place, until all that is drawn compiles.
/// </summary>
/// <param name="root">The repository.</param>
/// <param name="head">What the drawing begins with.</param>
/// <param name="room">The one room to draw; the others keep what was drawn for them. Null for all.</param>
/// <param name="log">Told what is going on.</param>
internal sealed class Draw(string root, DrawHead head, string? room, Action<string> log)
{
    private const string Comment =
        """
        # Mutants drawn by a program; not for editing. The same seed, and the sources of the commit, give them again:
        #   dotnet run -c Release --project tests/mutants -- --draw
        # What must not be drawn stands in excluded.txt, with the reason.


        """;

    private const string ExcludedComment =
        """
        # Changes that are not drawn. "does not compile" is noted by the drawing itself; "equal" is written by hand, and says in a sentence
        # why nobody could see the difference.


        """;

    public void Run()
    {
        MutantList before = MutantList.Load(root);
        List<Mutant> candidates = Candidates(before);
        log($"{candidates.Count} candidates in {before.Rooms.Count} rooms");
        List<Exclusion> exclusions = MutantList.Exclusions(root);
        while (true)
        {
            List<Mutant> drawn = Take(before, candidates, exclusions, head, room);
            Save(drawn, exclusions);
            MutantList list = MutantList.Load(root);
            Dictionary<Mutant, string> refused = Refused(list);
            if (refused.Count == 0)
            {
                log($"{drawn.Count} drawn");
                return;
            }

            foreach ((Mutant mutant, string reason) in refused)
            {
                log($"left out: {mutant.Id} {reason}: {mutant.Becomes}");
                exclusions.Add(new Exclusion(mutant.File, mutant.Line, mutant.Becomes, $"does not compile: {reason}"));
            }
        }
    }

    /// <summary>What is drawn of the candidates, room by room; of the rooms that are not drawn, what the list has.</summary>
    public static List<Mutant> Take(
        MutantList list, IEnumerable<Mutant> candidates, IEnumerable<Exclusion> exclusions, DrawHead head, string? room)
    {
        var excluded = exclusions.Select(e => (e.File, e.Line, e.Becomes)).ToHashSet();
        ILookup<string, Mutant> ByRoom(IEnumerable<Mutant> mutants) =>
            mutants.Where(m => !excluded.Contains((m.File, m.Line, m.Becomes))).ToLookup(m => m.Room, StringComparer.Ordinal);
        ILookup<string, Mutant> open = ByRoom(candidates);
        ILookup<string, Mutant> drawn = ByRoom(list.Mutants.Where(m => !m.IsWritten));
        return
        [
            .. list.Rooms.SelectMany(r => room is null || r.Name == room
                ? DrawOrder.Take(open[r.Name], r.Name, head.Seed, head.PerRoom)
                : drawn[r.Name]),
        ];
    }

    private List<Mutant> Candidates(MutantList list) =>
    [
        .. Repository.Files(root)
            .Where(f => f.EndsWith(".cs", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal)
            .Select(f => (File: f, Room: list.RoomOf(f)))
            .Where(f => f.Room is not null)
            .SelectMany(f => CandidateFinder.Find(f.File, f.Room!.Name, File.ReadAllText(Path.Combine(root, f.File)), head.Seed))
            .DistinctBy(m => (m.File, m.Line, m.Becomes)),
    ];

    private Dictionary<Mutant, string> Refused(MutantList list)
    {
        var copy = new InstrumentedCopy(root, list);
        copy.Write();
        foreach ((Mutant mutant, string reason) in copy.Refused)
        {
            log($"left behind by the sources: {mutant.Id} {reason}");
        }

        var builder = new CopyBuilder(copy, list);
        ChildResult result = builder.Build();
        if (result.ExitCode == 0)
        {
            return [];
        }

        Dictionary<Mutant, string> refused = builder.Refused(result.Output, out List<string> others);
        Mutant? written = refused.Keys.FirstOrDefault(m => m.IsWritten);
        if (written is not null)
        {
            throw new MutantException($"{written.Id}, written by hand, does not compile: {refused[written]}");
        }

        return refused.Count > 0
            ? refused
            : throw new MutantException(
                $"The copy does not build, and no mutant is to blame:\n{string.Join('\n', others)}\n{result.Output}");
    }

    private void Save(List<Mutant> drawn, List<Exclusion> exclusions)
    {
        File.WriteAllText(
            MutantList.PathOf(root, MutantList.DrawnFile), Comment + FieldBlocks.Format([head.Write(), .. drawn.Select(MutantText.Write)]));
        File.WriteAllText(
            MutantList.PathOf(root, MutantList.ExcludedFile), ExcludedComment + FieldBlocks.Format(exclusions.Select(e => e.Write())));
    }
}
