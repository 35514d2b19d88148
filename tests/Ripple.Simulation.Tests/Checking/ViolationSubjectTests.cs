using Ripple.Simulation.Tests.Oracles;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Oracles.Predicates;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulation.Tests.Checking;

public class ViolationSubjectTests
{
    [Fact]
    public void What_a_message_names_is_there_as_data()
    {
        var oracle = new OracleWorld();
        PublishIntent intent = oracle.Publish(null, ("a", "1"));
        ModelRelease release = oracle.Commit(intent);
        InvariantViolationException violation = Assert.Throws<InvariantViolationException>(
            () => oracle.World.Fail("Test", $"{oracle.First} has {release} of {intent.Id}, and {oracle.First} is {1 + 1}"));
        Assert.Contains(
            $"first of shop has 1/1 (1-1-a-na) of {intent.Id}, and first of shop is 2", violation.Message, StringComparison.Ordinal);
        Assert.Equal(["first"], violation.Subject.Machines);
        Assert.Equal([new ReleaseLabel(1, 1, release.Name)], violation.Subject.Releases);
        Assert.Equal([intent.Id], violation.Subject.Publishes);
        Assert.Empty(violation.Subject.Waits);
    }

    [Fact]
    public void What_else_it_is_about_can_be_said_besides_the_text()
    {
        var oracle = new OracleWorld();
        ModelRelease release = oracle.Commit(oracle.Publish(null, ("a", "1")));
        var question = new WaitQuestion
        {
            Release = release,
            Term = OperatorTerm.AllApplied(isDirect: false),
            Asker = oracle.Host,
            AskerLife = 1,
            AskedNs = 77,
            DeadlineNs = 100,
        };
        string text = "plain";
        InvariantViolationException violation =
            Assert.Throws<InvariantViolationException>(() => oracle.World.Fail("Test", text, oracle.Host, null, question));
        Assert.Equal(["host"], violation.Subject.Machines);
        Assert.Equal([question.Label], violation.Subject.Waits);
        Assert.Equal([release.Label], violation.Subject.Releases);
    }

    [Fact]
    public void A_message_that_names_nothing_is_about_nothing()
    {
        var oracle = new OracleWorld();
        InvariantViolationException violation =
            Assert.Throws<InvariantViolationException>(() => oracle.World.Fail("Test", $"{1} of {Guid.Empty}"));
        Assert.True(violation.Subject.IsEmpty);
    }
}
