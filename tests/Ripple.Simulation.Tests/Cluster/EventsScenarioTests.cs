using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Oracles.Events;

namespace Ripple.Simulation.Tests.Cluster;

public sealed class EventsScenarioTests
{
    [Theory]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(9)]
    public void Nobody_misses_an_event_and_one_seed_gives_one_run(ulong seed)
    {
        RunResult first = new EventsScenario().Run(seed, new ScenarioOptions());
        RunResult second = new EventsScenario().Run(seed, new ScenarioOptions());

        Assert.Null(first.Violation);
        Assert.Equal(first.StateHash, second.StateHash);
    }

    [Theory]
    [InlineData(4, true)]
    [InlineData(6, false)]
    public void Events_are_emitted_shown_and_judged_and_where_queues_are_small_some_are_dropped(ulong seed, bool mayDrop)
    {
        var cluster = new SimulatedCluster(seed, EventsScenario.OptionsOf(seed, new ScenarioOptions()));

        cluster.Run();

        EventChecker book = cluster.Events!.Book;
        Assert.NotNull(book.SpaceSinceNs);
        Assert.True(book.EmittedCount > 500, $"only {book.EmittedCount} events were emitted");
        Assert.True(book.ShownCount > 1_000, $"only {book.ShownCount} events were shown");
        Assert.True(book.JudgedCount > 200, $"only {book.JudgedCount} times an event was looked for");
        Assert.Equal(mayDrop, book.ToldCount > 0);
    }
}
