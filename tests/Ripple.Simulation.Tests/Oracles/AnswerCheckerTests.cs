using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Testing.Oracles;
using static Ripple.Simulation.Tests.Oracles.OracleWorld;

namespace Ripple.Simulation.Tests.Oracles;

public class AnswerCheckerTests
{
    private readonly OracleWorld _world = new();
    private readonly AnswerChecker _answers;

    public AnswerCheckerTests() => _answers = new AnswerChecker(_world.World, _world.Model, Judges.Expectations);

    [Fact]
    public void An_acknowledged_release_is_the_publish_that_was_asked_for()
    {
        ApplicationState first = _world.CommitState(null, "1");
        ModelRelease release = _world.Model.Of(Application).Newest!;
        PublishAsk ask = _answers.OnAsked(_world.Book.Find(release.Claim.Publish)!);
        PublishAsk other = _answers.OnAsked(_world.Publish(null, ("key", "2")));
        PublishResult answer = Done(first);
        _answers.OnAnswered(ask, answer);
        Fails("Answers", () => _answers.OnAnswered(other, answer));
        Fails("Answers", () => _answers.OnAnswered(ask, answer with { Release = 2 }));
        Fails("Answers", () => _answers.OnAnswered(ask, answer with { Id = Digest160.Hash("x"u8, "y"u8) }));
    }

    [Fact]
    public void An_expected_release_is_that_release_and_not_another_of_its_number()
    {
        ApplicationState first = _world.CommitState(null, "1");
        ApplicationState second = _world.CommitState(first, "2");
        PublishIntent publish = _world.Book.Find(_world.Model.Of(Application).Newest!.Claim.Publish)!;
        Ask(publish with { Expected = new(1, 1), ExpectedName = first.Keys.Id.ToString() }, second);
        Fails("Publishes", () => Ask(publish with { Expected = 2 }, second));
        Fails("Answers", () => Ask(publish with { Expected = new(1, 1), ExpectedName = "another" }, second));
    }

    [Fact]
    public void A_refusal_for_the_expected_release_was_right_at_some_moment()
    {
        ApplicationState first = _world.CommitState(null, "1");
        _world.Advance(World.Second);
        PublishAsk ask = _answers.OnAsked(_world.Publish(1, ("key", "2")));
        PublishResult refusal = Done(first) with { Code = ErrorCode.WrongExpectedRelease, Text = "no", Release = 1 };
        Fails("Answers", () => _answers.OnAnswered(ask, refusal));
        _world.Advance(World.Second);
        _world.CommitState(first, "3");
        _answers.OnAnswered(ask, refusal with { Release = 2 });
        Fails("Answers", () => _answers.OnAnswered(ask, refusal with { Release = 9 }));
        Fails("Answers", () => _answers.OnAnswered(ask, refusal with { Release = 2, Text = "" }));
        PublishAsk any = _answers.OnAsked(_world.Publish(null, ("key", "4")));
        Fails("Answers", () => _answers.OnAnswered(any, refusal));
    }

    [Fact]
    public void A_refusal_is_right_while_another_publish_is_under_way()
    {
        _world.CommitState(null, "1");
        PublishAsk other = _answers.OnAsked(_world.Publish(null, ("key", "2")));
        PublishAsk ask = _answers.OnAsked(_world.Publish(1, ("key", "3")));
        _answers.OnAnswered(ask, new PublishResult(1, ErrorCode.WrongExpectedRelease, "no", 1, 2, default));
        _answers.OnAnswered(other, null);
    }

    [Fact]
    public void Nothing_changes_only_if_the_model_agrees()
    {
        _world.Commit(_world.Publish(null, ("key", "1")));
        PublishResult nothing = new(1, ErrorCode.NothingChanged, "no", 1, 1, default);
        _answers.OnAnswered(_answers.OnAsked(_world.Publish(null, ("absent", null))), nothing);
        _answers.OnAnswered(_answers.OnAsked(_world.Rollback(1)), nothing);
        _world.Advance(World.Second);
        PublishAsk removal = _answers.OnAsked(_world.Publish(null, ("key", null)));
        Fails("Answers", () => _answers.OnAnswered(removal, nothing));
    }

    private static PublishResult Done(ApplicationState state) =>
        new(1, ErrorCode.None, "", state.Keys.Generation, state.Keys.Release, state.Keys.Id);

    /// <summary>Asks in the name of a publish that is recorded otherwise: the checker must use what was asked.</summary>
    private void Ask(PublishIntent intent, ApplicationState answer) => _answers.OnAnswered(new PublishAsk(intent, 0), Done(answer));
}
