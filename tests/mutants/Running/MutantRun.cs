using System.Diagnostics;
using Ripple.Mutants.Building;
using Ripple.Mutants.Commands;
using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Running;

/// <summary>Judges the mutants that a command line asks for.</summary>
internal sealed class MutantRun(string root, MutantList list, CommandLine line, TextWriter output, Action<string> log)
{
    private readonly InstrumentedCopy _copy = new(root, list);

    /// <summary>Runs until all are judged or the time is over; true when everything that was judged was seen.</summary>
    public bool Run()
    {
        long startedAt = Stopwatch.GetTimestamp();
        List<Mutant> mutants = line.Choose(list);
        new CopyBuilder(_copy, list).Ensure(log);
        string[] gone = [.. mutants.Select(m => m.Id).Intersect(_copy.RefusedNames)];
        mutants.RemoveAll(m => gone.Contains(m.Id));
        var state = new StateFile(line.ResumePath);
        Dictionary<string, Verdict> before = state.Load();
        var baseline = new Baseline(_copy, Path.Combine(root, InstrumentedCopy.RelativeFolder, "baseline.txt"));
        List<Mutant> open = [.. mutants.Where(m => !before.ContainsKey(m.Id))];
        baseline.Ensure(Projects(open), Profiles(open), log);
        var verdicts = new List<Verdict>();
        foreach (Mutant mutant in mutants)
        {
            if (!before.TryGetValue(mutant.Id, out Verdict? verdict))
            {
                if (Stopwatch.GetElapsedTime(startedAt) > line.TimeMax)
                {
                    continue;
                }

                verdict = Judge(mutant, baseline);
                state.Add(verdict);
            }

            verdicts.Add(verdict);
            output.WriteLine(line.IsJson ? VerdictJson.Write(verdict) : Text(verdict));
        }

        RunTotals totals = RunTotals.Of(verdicts, mutants.Count - verdicts.Count, gone);
        output.WriteLine(VerdictJson.Write(totals));
        return totals.Seen == totals.Mutants && totals.Left == 0;
    }

    private static string Text(Verdict verdict) =>
        $"{(verdict.IsSeen ? "seen  " : "UNSEEN")} {verdict.Mutant} ({verdict.Class}) {verdict.SeenByTest} {verdict.SeenBySimulator}"
            .TrimEnd();

    private IEnumerable<string> Projects(List<Mutant> mutants) => line.HasTests
        ? mutants.Select(list.RoomOf).SelectMany(r => r.Then.Prepend(r.Tests)).Distinct()
        : [];

    private IEnumerable<Profile> Profiles(List<Mutant> mutants) =>
        line.HasSimulator && mutants.Select(list.RoomOf).Any(r => r.IsSimulated) ? list.Profiles : [];

    private Verdict Judge(Mutant mutant, Baseline baseline)
    {
        long startedAt = Stopwatch.GetTimestamp();
        Room room = list.RoomOf(mutant);
        int number = list.NumberOf(mutant);
        string[] near = [.. list.Profiles.Select(p => p.Scenario).Where(s => baseline.Reaches(s, number))];
        log($"{mutant.Id} ({number}): {mutant.Line}  ->  {mutant.Becomes}");
        return new Verdict
        {
            Mutant = mutant.Id,
            Room = mutant.Room,
            Class = mutant.Class,
            SeenByTest = line.HasTests ? new TestHunt(_copy, baseline).SeenBy(room, number) : null,
            SeenBySimulator = line.HasSimulator && room.IsSimulated
                ? new SimulatorHunt(_copy, baseline).SeenBy(mutant, number, list.Profiles)
                : null,
            ReachedBy = line.HasSimulator && room.IsSimulated ? string.Join(' ', near) : null,
            Seconds = Math.Round(Stopwatch.GetElapsedTime(startedAt).TotalSeconds, 1),
        };
    }
}
