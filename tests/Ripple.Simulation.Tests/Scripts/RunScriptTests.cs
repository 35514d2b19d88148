using System.Globalization;
using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulation.Tests.Scripts;

public class RunScriptTests
{
    [Theory]
    [InlineData(HostScenario.Name, 4)]
    [InlineData(ClientsScenario.Name, 8)]
    [InlineData(OverloadScenario.Name, 3)]
    public void A_run_that_keeps_everything_by_its_script_is_the_ordinary_run(string scenario, ulong seed)
    {
        SeedRun run = RunOf(scenario, seed);
        RunExcerpt everything = RunExcerpt.All;
        foreach (RunItem item in Enum.GetValues<RunItem>())
        {
            everything = everything.With(item, ItemNames.SetOf(run.ItemsOf(item)));
        }

        RunResult ordinary = run.Run();
        Assert.NotEmpty(everything.Faults!);
        Assert.Equal(ordinary.StateHash, run.Run(everything).StateHash);
        RunExcerpt less = everything with { Faults = everything.Faults!.Remove(everything.Faults![0]) };
        Assert.NotEqual(ordinary.StateHash, run.Run(less).StateHash);
    }

    [Fact]
    public void What_is_left_out_shifts_nothing_of_what_is_kept()
    {
        SeedRun run = RunOf(HostScenario.Name, 4);
        RunExcerpt calm = RunExcerpt.All.With(RunItem.Fault, ItemNames.SetOf([]));
        List<string> turns = [.. run.ItemsOf(RunItem.Publish).Where(n => int.Parse(n, CultureInfo.InvariantCulture) >= 5)];
        List<TraceEvent> all = PublishesOf(run, calm);
        List<TraceEvent> late = PublishesOf(run, calm.With(RunItem.Publish, ItemNames.SetOf(turns)));
        Assert.InRange(late.Count, 3, all.Count - 5);

        // Which of them are made again follows from the answers; new ones are at the same moment what they were in the whole run.
        List<TraceEvent> news = [.. late.Where((p, i) => !late.Take(i).Any(q => q.Publish == p.Publish))];
        List<TraceEvent> same = [.. news.Where(p => all.Exists(q => Math.Abs(q.Ns - p.Ns) < 1_000_000 && q.Publish == p.Publish))];
        int again = all.Count - all.DistinctBy(p => p.Publish).Count();
        Assert.InRange(same.Count, Math.Max(3, news.Count - again), news.Count);
        Assert.All(same, p => Assert.Contains(p.Text.Split(',')[0], all.Select(q => q.Text.Split(',')[0])));
        Assert.All(late, p => Assert.Contains(all, q => Math.Abs(q.Ns - p.Ns) < 1_000_000));
    }

    [Fact]
    public void Faults_of_a_run_with_fewer_items_are_those_of_the_whole()
    {
        SeedRun run = RunOf(HostScenario.Name, 5);
        List<string> whole = FaultsOf(run, RunExcerpt.All);
        List<string> some = FaultsOf(run, new RunExcerpt(ItemNames.SetOf(["0", "2"]), null, ItemNames.SetOf([])));
        Assert.True(whole.Count > 2);
        Assert.Equal(2, some.Count);
        Assert.All(some, f => Assert.Contains(f, whole));
    }

    [Fact]
    public void A_node_that_is_left_out_never_starts()
    {
        var trace = new TraceLog();
        RunResult result = RunOf(HostScenario.Name, 5).Run(RunExcerpt.All.With(RunItem.Node, ItemNames.SetOf(["0", "2"])), trace);
        Assert.Null(result.Violation);
        List<string> started = [.. trace.Events.Where(e => e.Kind == TraceKind.Started).Select(e => e.Machines[0].Name).Distinct()];
        Assert.Equal(["host", "client0", "client2", "publisher"], started);
    }

    private static List<TraceEvent> PublishesOf(SeedRun run, RunExcerpt excerpt)
    {
        var trace = new TraceLog();
        run.Run(excerpt, trace);
        return [.. trace.Events.Where(e => e.Kind == TraceKind.Asked)];
    }

    private static List<string> FaultsOf(SeedRun run, RunExcerpt excerpt)
    {
        var trace = new TraceLog();
        run.Run(excerpt, trace);
        return [.. trace.Events.Where(e => e.Kind == TraceKind.Fault).Select(e => $"{e.Ns} {e.EndNs} {e.Text}")];
    }

    private static SeedRun RunOf(string scenario, ulong seed) =>
        new(ScenarioTable.Find(scenario)!, seed, new ScenarioOptions { Scenario = scenario, Seconds = 12, Nodes = 4 });
}
