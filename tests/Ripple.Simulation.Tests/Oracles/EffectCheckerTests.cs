using Ripple.Engine.Releases;
using Ripple.Testing.Oracles;
using static Ripple.Simulation.Tests.Oracles.OracleWorld;

namespace Ripple.Simulation.Tests.Oracles;

public class EffectCheckerTests
{
    private readonly OracleWorld _world = new(Judges.Superseded);
    private readonly EffectChecker _effects;
    private readonly ApplicationState _one;
    private readonly ApplicationState _two;
    private readonly ApplicationState _three;

    public EffectCheckerTests()
    {
        _effects = new EffectChecker(_world.World, _world.Model, Judges.Superseded);
        _one = _world.CommitState(null, "1");
        _two = _world.CommitState(_one, "2");
        _three = _world.CommitState(_two, "3");
    }

    [Fact]
    public void Values_are_compared_with_the_published_bytes()
    {
        _effects.OnReceived(_world.First, _one);
        var wrong = new ApplicationState(_one.Keys, _one.Values.SetItem("key", "x"u8.ToArray()), null);
        Fails("States", () => _effects.OnReceived(_world.First, wrong));
        Fails("States", () => _effects.OnReceived(_world.First, new ApplicationState(_one.Keys, _one.Values.Remove("key"), null)));
    }

    [Fact]
    public void What_a_configuration_shows_is_compared_and_was_acceptable()
    {
        _effects.OnShown(_world.First, _two.Keys.Id.ToString(), _two.Values, isUnjudged: false);
        Fails("States", () => _effects.OnShown(_world.First, _one.Keys.Id.ToString(), _two.Values, isUnjudged: false));
        Fails("States", () => _effects.OnShown(_world.First, "unknown", _two.Values, isUnjudged: false));
        // The second node's validators reject the third release.
        Fails("States", () => _effects.OnShown(_world.Second, _three.Keys.Id.ToString(), _three.Values, isUnjudged: false));
    }

    [Fact]
    public void What_no_validator_has_seen_may_be_shown_only_by_a_process_that_never_had_anything_in_effect()
    {
        _effects.OnShown(_world.Second, _three.Keys.Id.ToString(), _three.Values, isUnjudged: true);
        Apply(_world.Second, _one, _one);
        Fails("States", () => _effects.OnShown(_world.Second, _three.Keys.Id.ToString(), _three.Values, isUnjudged: true));
    }

    [Fact]
    public void Only_accepted_releases_take_effect_and_only_forward()
    {
        Fails("States", () => _effects.OnApplied(_world.First, _two));
        Apply(_world.First, _two, _two);
        Fails("States", () => Apply(_world.First, _one, _two));
        _effects.OnDecided(_world.Second, _three, null);
        Fails("States", () => _effects.OnApplied(_world.Second, _three));
    }

    [Fact]
    public void A_rejection_has_the_reason_of_the_validators_or_came_for_want_of_an_answer()
    {
        Fails("States", () => _effects.OnDecided(_world.First, _one, "no"));
        Fails("States", () => _effects.OnDecided(_world.Second, _three, "too late"));
        _effects.OnDecided(_world.Second, _three, "they say: no");
        _effects.OnDecided(_world.First, _one, "The callback did not answer within 3 s.");
        Assert.True(_world.Second.HasGiven(1, 3, "they say: no"));
        Assert.False(_world.Second.HasGiven(1, 3, "no"));
    }

    [Fact]
    public void A_release_whose_successor_was_here_before_the_decision_began_is_superseded()
    {
        Apply(_world.First, _one, _one);
        Fails("Superseded", () => Apply(_world.First, _two, _three));
    }

    [Fact]
    public void A_node_that_rejected_the_newest_and_has_none_may_start_from_one_before_it()
    {
        // The second node's validators reject the third release, and have not said so yet.
        Fails("Superseded", () => Apply(_world.Second, _two, _three));
        _effects.OnDecided(_world.Second, _three, "they say: no");
        Apply(_world.Second, _one, _three);
        Assert.Equal(1, _effects.PastCount);
        // What it has in effect now is what it keeps.
        Fails("Superseded", () => Apply(_world.Second, _two, _three));
        Assert.Equal(1, _effects.PastCount);
    }

    [Fact]
    public void What_is_in_effect_at_a_start_was_accepted_in_a_life_before()
    {
        Apply(_world.First, _one, _one);
        _world.First.Start(1);
        _effects.OnStarted(_world.First, _one, _two);
        Assert.Equal(2UL, _world.First.At(NodeLevel.Received)!.Release);
        _world.First.Start(2);
        Fails("States", () => _effects.OnStarted(_world.First, _two, _two));
    }

    [Fact]
    public void A_node_that_keeps_some_keys_has_those_and_no_others()
    {
        var node = new NodeRecord(_world.First.Machine, Application, _ => null) { Wants = key => key != "key" };
        Fails("States", () => _effects.OnReceived(node, _one));
        _effects.OnReceived(node, new ApplicationState(_one.Keys, _one.Values.Remove("key"), null));
    }

    [Fact]
    public void Each_application_of_a_node_is_superseded_apart()
    {
        var other = new NodeRecord(_world.First.Machine, "other", _ => null);
        _effects.OnDeciding(_world.First, _one, _two);
        _effects.OnDeciding(other, ApplicationState.Empty("other"), ApplicationState.Empty("other"));
        _effects.OnDecided(_world.First, _one, null);
        Fails("Superseded", () => _effects.OnApplied(_world.First, _one));
    }

    private void Apply(NodeRecord node, ApplicationState state, ApplicationState newest)
    {
        _effects.OnDeciding(node, state, newest);
        _effects.OnDecided(node, state, null);
        _effects.OnApplied(node, state);
    }
}
