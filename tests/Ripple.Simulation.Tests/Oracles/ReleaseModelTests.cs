using System.Text;
using Ripple.Simulator.Oracles;
using static Ripple.Simulation.Tests.Oracles.OracleWorld;

namespace Ripple.Simulation.Tests.Oracles;

public class ReleaseModelTests
{
    [Fact]
    public void The_content_is_what_publishes_said_one_after_another()
    {
        var world = new OracleWorld();
        world.Commit(world.Publish(null, ("a", "1"), ("b", "2")));
        ModelRelease second = world.Commit(world.Publish(null, ("a", "3"), ("b", null), ("c", null)));
        ModelRelease back = world.Commit(world.Rollback(1));
        ModelRelease creation = world.Commit(null, generation: 2);
        Assert.Equal(["a=3"], Text(second));
        Assert.Equal(["a=1", "b=2"], Text(back));
        Assert.Equal(Text(back), Text(creation));
    }

    [Fact]
    public void One_number_has_one_content_where_that_is_judged()
    {
        foreach (Judges judges in (Judges[])[Judges.None, Judges.Content])
        {
            var world = new OracleWorld(judges);
            ModelRelease first = world.Commit(world.Publish(null, ("a", "1")));
            world.Commit(world.Publish(null, ("a", "2")));
            PublishIntent other = world.Publish(null, ("a", "other"));
            world.Model.OnStarted(Application, first.Name);
            if (judges == Judges.None)
            {
                Assert.Equal(2UL, world.Commit(other, name: "b").Release);
            }
            else
            {
                Fails("Content", () => world.Commit(other, name: "b"));
            }
        }
    }

    [Fact]
    public void A_publish_is_one_release_in_a_generation()
    {
        var world = new OracleWorld();
        PublishIntent publish = world.Publish(null, ("a", "1"));
        world.Commit(publish);
        world.Commit(null, generation: 2);
        world.Commit(publish, generation: 2);
        Fails("Publishes", () => world.Commit(publish, generation: 2));
    }

    [Fact]
    public void A_publish_that_a_restore_lost_may_be_made_again_unless_that_is_judged()
    {
        foreach (Judges judges in (Judges[])[Judges.None, Judges.Repeats])
        {
            var world = new OracleWorld(judges);
            ModelRelease first = world.Commit(world.Publish(null, ("a", "1")));
            PublishIntent publish = world.Publish(null, ("a", "2"));
            world.Commit(publish);
            world.Model.OnStarted(Application, first.Name);
            if (judges == Judges.Repeats)
            {
                Fails("Publishes", () => world.Commit(publish, name: "b"));
                continue;
            }

            world.Commit(publish, name: "b");
            Fails("Publishes", () => world.Commit(publish, name: "c"));
        }
    }

    [Fact]
    public void A_release_of_no_publish_and_one_that_follows_nothing_are_seen()
    {
        var world = new OracleWorld();
        ModelRelease first = world.Commit(world.Publish(null, ("a", "1")));
        Fails("Content", () => world.Model.OnCommitted(new ReleaseClaim(Application, 1, 2, "two-name", first.Name, Guid.NewGuid())));
        Fails("Content", () => world.Model.OnCommitted(new ReleaseClaim(Application, 1, 3, "three-name", first.Name, Guid.Empty)));
        Fails("Content", () => world.Model.OnCommitted(new ReleaseClaim(Application, 1, 2, "two-name", "unknown", Guid.Empty)));
    }

    private static IEnumerable<string> Text(ModelRelease release) =>
        release.Content.Select(c => $"{c.Key}={Encoding.UTF8.GetString(c.Value)}");
}
