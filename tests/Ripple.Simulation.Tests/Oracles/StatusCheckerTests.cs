using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Regions;
using Ripple.Simulator.Oracles;
using static Ripple.Simulation.Tests.Oracles.OracleWorld;

namespace Ripple.Simulation.Tests.Oracles;

public class StatusCheckerTests
{
    private readonly OracleWorld _world = new();
    private readonly StatusChecker _status;

    public StatusCheckerTests() => _status = new StatusChecker(_world.World, _world.Model, _world.Members, Judges.Staleness);

    [Fact]
    public void A_row_is_neither_ahead_of_its_node_nor_older_than_its_bound()
    {
        ModelRelease release = _world.Commit(_world.Publish(null, ("a", "1")));
        _world.Advance(10 * World.Second);
        Fails("Staleness", () => Answer(Row(_world.First, 1), Row(_world.Second, 0)));
        _world.First.Reach(_world.World.Scheduler.NowNs, NodeLevel.Received, release);
        Answer(Row(_world.First, 1), Row(_world.Second, 0));
        Answer(Row(_world.First, 0), Row(_world.Second, 0));
        _world.Advance(StatusChecker.BoundNs + 1);
        Fails("Staleness", () => Answer(Row(_world.First, 0), Row(_world.Second, 0)));
        Assert.True(_status.JudgedCount > 3);
    }

    [Fact]
    public void An_undisturbed_member_has_a_row_that_says_it_is_there()
    {
        _world.Advance(10 * World.Second);
        Fails("Staleness", () => Answer(Row(_world.First, 0)));
        Fails("Staleness", () => Answer(Row(_world.First, 0), Row(_world.Second, 0) with { State = 3 }));
        _world.Second.Leave(_world.World.Scheduler.NowNs, isByHost: false);
        Answer(Row(_world.First, 0));
    }

    [Fact]
    public void A_row_names_its_node_and_a_rejection_that_the_node_made_with_its_reason()
    {
        ModelRelease release = _world.Commit(_world.Publish(null, ("a", "1")));
        _world.Advance(10 * World.Second);
        StatusRow other = Row(_world.Second, 0);
        StatusRow row = Row(_world.First, 0);
        Fails("Staleness", () => Answer(row with { Zone = "another" }, other));
        Fails("Staleness", () => Answer(row with { Name = "nobody" }, other));
        Fails("Staleness", () => Answer(row with { Reason = "of nothing" }, other));
        Fails("Staleness", () => Answer(row with { Rejected = 1, Reason = "too much" }, other));
        _world.First.Decide(_world.World.Scheduler.NowNs, release, "too much");
        Fails("Staleness", () => Answer(row with { Rejected = 1, Reason = "too little" }, other));
        Answer(row with { Rejected = 1, Reason = "too much" }, other);
        Answer(row, other);
        _world.Advance(StatusChecker.BoundNs + 1);
        Fails("Staleness", () => Answer(row, other));
    }

    private static StatusRow Row(NodeRecord node, ulong received) =>
        new(new NodeId(1, 1), node.Session!.Incarnation, node.Machine.Name, node.Member.Zone, 0, received, 0, 0, 0, 0, "");

    [Fact]
    public void The_newest_release_was_the_newest_when_it_was_asked_or_later()
    {
        Fails("Staleness", () => _status.OnAnswered(OracleWorld.Application, 0, 1, 1, []));
        _world.Commit(_world.Publish(null, ("a", "1")));
        _world.Advance(World.Second);
        _world.Commit(_world.Publish(null, ("a", "2")));
        Fails("Staleness", () => _status.OnAnswered(OracleWorld.Application, World.Second + 1, 1, 1, []));
        Fails("Staleness", () => _status.OnAnswered(OracleWorld.Application, 1, 2, 2, []));
        var truth = new StatusChecker(_world.World, _world.Model, _world.Members, Judges.None);
        truth.OnAnswered(OracleWorld.Application, 1, 1, 1, []);
        truth.OnAnswered(OracleWorld.Application, 1, 1, 2, []);
    }

    private void Answer(params StatusRow[] rows) => _status.OnAnswered(
        OracleWorld.Application, _world.World.Scheduler.NowNs, 1, _world.Model.Of(OracleWorld.Application).Newest?.Release ?? 0, rows);
}
