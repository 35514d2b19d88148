using Ripple.Client;
using Ripple.Testing.Clients;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Clients;

/// <summary>Faults that the product had, and that real clients reach in a simulation.</summary>
public sealed class KnownFaultTests
{
    /// <summary>
    /// A host that forgets at a restart who was a member at a commit would bind a wait that is asked again to those who are back.
    /// </summary>
    [Fact]
    public void A_wait_asked_again_after_a_restart_of_the_host_is_not_held_by_who_is_back_first()
    {
        var rig = new ClientRig();
        SimulatedRippleClient asker = rig.Add("asker");
        SimulatedRippleClient other = rig.Add("other");
        rig.Publish(asker, "1", 1);
        rig.Until(() => ClientRig.ValueAt(other) == "1", "other does not have the first release");
        other.Judge = async (_, token) =>
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, other.Scheduler!.Clock, token).ConfigureAwait(false);
            return ReleaseDecision.Accept;
        };
        PublishResult published = rig.Publish(asker, "2", 2);
        Func<Task<WaitResult>?> asked = ClientRig.Begin(
            asker, c => c.WaitAsync("shop", published.Release, "MIN($ALL.applied)", TimeSpan.FromSeconds(50)));
        rig.World.RunFor(Second);
        Assert.False(asked()!.IsCompleted);

        rig.Host.Machine.Crash();
        other.Machine.Crash();
        rig.World.RunFor(Second);
        rig.Host.Machine.Start();
        rig.World.RunFor(20 * Second);

        bool isHeld = asked()!.IsCompleted && ClientRig.ResultOf(asked).Outcome == WaitOutcome.Held;
        Assert.False(isHeld);
    }

    /// <summary>A release that was published and taken back while a process was away never runs there.</summary>
    [Fact]
    public void A_superseded_release_is_not_put_in_effect_by_a_process_that_was_away()
    {
        var rig = new ClientRig();
        SimulatedRippleClient one = rig.Add("one");
        SimulatedRippleClient two = rig.Add("two", StartupMode.Background);
        rig.Publish(one, "good", 1);
        rig.Until(() => two.SavedPosition(1) == 1, "two does not save the first release");
        two.Machine.Crash();
        rig.Publish(one, "disaster", 2);
        rig.Publish(one, "good again", 3);
        rig.World.RunFor(5 * Second);

        var watched = new List<string>();
        two.OnWatched = (_, release) => watched.Add(System.Text.Encoding.UTF8.GetString(release.Values["a"].Span));
        two.Machine.Start();
        rig.Until(() => watched.Contains("good again"), "two does not get the newest release");

        Assert.DoesNotContain("disaster", watched);
    }
}
