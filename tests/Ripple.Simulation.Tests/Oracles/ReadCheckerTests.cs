using System.Text;
using Ripple.Testing.Oracles;
using static Ripple.Simulation.Tests.Oracles.OracleWorld;

namespace Ripple.Simulation.Tests.Oracles;

public class ReadCheckerTests
{
    private readonly OracleWorld _world = new();
    private readonly ReadChecker _reads;
    private readonly ModelRelease _one;
    private readonly ModelRelease _two;

    public ReadCheckerTests()
    {
        _reads = new ReadChecker(_world.World, _world.Model, ulong.MaxValue);
        _one = _world.Commit(_world.Publish(null, ("a", "1"), ("b", "2")));
        _world.Advance(World.Second);
        _two = _world.Commit(_world.Publish(1, ("a", "3"), ("b", null)));
        _world.Advance(World.Second);
    }

    [Fact]
    public void A_value_is_the_one_of_its_release()
    {
        Read("a", 1, 1, "1");
        Read("a", 2, 2, "3");
        Read("b", 2, 0, null);
        Read("a", 3, 0, null);
        Fails("Reads", () => Read("a", 1, 1, "3"));
        Fails("Reads", () => Read("a", 1, 2, "3"));
        Fails("Reads", () => Read("a", 2, 0, null));
        Fails("Reads", () => Read("b", 2, 2, "2"));
    }

    [Fact]
    public void The_newest_is_one_that_was_the_newest_between_question_and_answer()
    {
        Read("a", null, 2, "3");
        Read("a", null, 1, "1", askedNs: 1);
        Fails("Reads", () => Read("a", null, 1, "1"));
        Read("b", null, 0, null);
        Fails("Reads", () => Read("a", null, 0, null));
    }

    [Fact]
    public void What_is_not_among_the_releases_kept_may_be_gone_and_has_no_other_value()
    {
        var one = new ReadChecker(_world.World, _world.Model, 1);
        one.OnRead(Question("a", 1), 1, 0, null);
        one.OnRead(Question("a", 1), 1, 1, "1"u8.ToArray());
        Fails("Reads", () => one.OnRead(Question("a", 1), 1, 1, "3"u8.ToArray()));
        Fails("Reads", () => one.OnRead(Question("a", 2), 1, 0, null));
        Fails("Reads", () => one.OnRead(Question("a", null), 1, 0, null));
        var two = new ReadChecker(_world.World, _world.Model, 2);
        Fails("Reads", () => two.OnRead(Question("a", 1), 1, 0, null));
    }

    [Fact]
    public void A_history_is_the_chain_from_the_newest_on()
    {
        History(Line(_two), Line(_one));
        History(Line(_two));
        Fails("Reads", () => History());
        Fails("Reads", () => History(Line(_one)));
        Fails("Reads", () => History(Line(_two), Line(_two)));
        Fails("Reads", () => History(Line(_two), Line(_one), Line(_one)));
        Fails("Reads", () => History(Line(_two) with { Note = "another" }));
        Fails("Reads", () => History(Line(_two) with { Generation = 2 }));
        Fails("Reads", () => History(Line(_two) with { Keys = ["c"] }));
        Fails("Reads", () => History(Line(_two) with { Name = "unknown" }));
    }

    [Fact]
    public void A_watch_of_every_release_leaves_none_out_and_brings_none_twice()
    {
        _reads.OnWatched(Application, null, Line(_two));
        _reads.OnWatched(Application, Line(_one), Line(_two));
        Fails("Reads", () => _reads.OnWatched(Application, Line(_two), Line(_two)));
        Fails("Reads", () => _reads.OnWatched(Application, Line(_two), Line(_one)));
        Fails("Reads", () => _reads.OnWatched(Application, null, Line(_two) with { Note = "another" }));
        ModelRelease three = _world.Commit(_world.Publish(2, ("a", "4")));
        Fails("Reads", () => _reads.OnWatched(Application, Line(_one), Line(three)));
        // What is kept no more is not there to be read.
        new ReadChecker(_world.World, _world.Model, 1).OnWatched(Application, Line(_one), Line(three));
    }

    private ReadQuestion Question(string key, ulong? asked) => new(Application, key, asked, _world.World.Scheduler.NowNs);

    private static HistoryLine Line(ModelRelease release) => new(release.Generation, release.Release, release.Name, "note", ["a"]);

    private void History(params HistoryLine[] lines) => _reads.OnHistory(Application, _world.World.Scheduler.NowNs, lines);

    private void Read(string key, ulong? asked, ulong release, string? value, long? askedNs = null) => _reads.OnRead(
        new ReadQuestion(Application, key, asked, askedNs ?? _world.World.Scheduler.NowNs),
        1,
        release,
        value is null ? (ReadOnlyMemory<byte>?)null : Encoding.UTF8.GetBytes(value));
}
