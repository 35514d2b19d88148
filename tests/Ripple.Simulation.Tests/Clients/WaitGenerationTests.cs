using Ripple.Client;
using Ripple.Testing.Clients;
using Ripple.Testing.Disks;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Clients;

/// <summary>A host is restored while a client waits: which release the wait is for then.</summary>
public sealed class WaitGenerationTests
{
    private const string All = "MIN($ALL.applied)";
    private readonly ClientRig _rig = new();
    private SimulatedRippleClient? _other;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_wait_that_is_asked_again_is_for_the_release_it_was_taken_for(bool namesGeneration)
    {
        (SimulatedRippleClient asker, PublishResult published, SimulatedDiskCopy copy) = Begin();
        Func<Task<WaitResult>?> asked = ClientRig.Begin(asker, c => namesGeneration
            ? c.WaitAsync("shop", published.Generation, published.Release, All, TimeSpan.FromSeconds(50))
            : c.WaitAsync("shop", published.Release, All, TimeSpan.FromSeconds(50)));
        _rig.World.RunFor(Second);
        Assert.False(asked()!.IsCompleted);

        Restore(copy, MarkFate.Lost);
        _rig.Until(() => asked()?.IsCompleted == true, "the wait does not end");

        WaitResult result = ClientRig.ResultOf(asked);
        Assert.Equal((WaitOutcome.CannotHold, 1u), (result.Outcome, result.Generation));
        Assert.Equal("Generation 1 of shop ended; the application is in generation 2.", result.Text);
    }

    [Fact]
    public void A_wait_for_what_a_restored_host_does_not_know_yet_is_asked_until_it_does()
    {
        (SimulatedRippleClient asker, PublishResult published, SimulatedDiskCopy copy) = Begin();
        asker.Machine.Crash();
        Restore(copy, MarkFate.Copied);
        // Nobody but a newcomer, who holds nothing, is there: the host cannot know what it lost.
        SimulatedRippleClient newcomer = _rig.Add("newcomer");
        _rig.Until(() => newcomer.Client?.ConnectionState == ConnectionState.Connected, "the newcomer is not let in");
        Func<Task<WaitResult>?> asked = ClientRig.Begin(
            newcomer, c => c.WaitAsync("shop", published.Generation, published.Release, All, TimeSpan.FromSeconds(50)));
        _rig.World.RunFor(5 * Second);
        Assert.False(asked()!.IsCompleted);

        asker.Machine.Start();
        _rig.Until(() => asked()?.IsCompleted == true, "the wait does not end");
        Assert.Equal((WaitOutcome.CannotHold, 1u), (ClientRig.ResultOf(asked).Outcome, ClientRig.ResultOf(asked).Generation));
    }

    [Fact]
    public void A_publish_on_top_of_a_release_that_a_restore_took_back_is_refused_with_both()
    {
        (SimulatedRippleClient asker, PublishResult published, SimulatedDiskCopy copy) = Begin();
        Restore(copy, MarkFate.Lost);
        var request = new PublishRequest
        {
            ExpectedRelease = published.Release,
            ExpectedGeneration = published.Generation,
            Set = new Dictionary<string, ReadOnlyMemory<byte>> { ["a"] = new byte[] { 1 } },
        };
        Func<Task<PublishResult>?> asked = ClientRig.Begin(asker, c => c.PublishAsync(request));
        _rig.Until(() => asked()?.IsCompleted == true, "the publish does not end");

        RipplePublishException refused = Assert.Throws<RipplePublishException>(() => ClientRig.ResultOf(asked));
        Assert.Equal((2u, published.Release), (refused.NewestGeneration, refused.NewestRelease));
        Assert.StartsWith("The newest release of 'shop' is 2/2, not 1/2.", refused.Message, StringComparison.Ordinal);
        PublishResult done = _rig.Ask(asker, c => c.PublishAsync(request with { ExpectedGeneration = 2 }));
        Assert.Equal((2u, 3ul), (done.Generation, done.Release));
    }

    /// <summary>Of two releases the copy has the first, and one of two members does not decide on the second, until it goes.</summary>
    private (SimulatedRippleClient Asker, PublishResult Published, SimulatedDiskCopy Copy) Begin()
    {
        SimulatedRippleClient asker = _rig.Add("asker");
        SimulatedRippleClient other = _rig.Add("other");
        _rig.Publish(asker, "1", 1);
        _rig.Until(() => ClientRig.ValueAt(other) == "1", "other does not have the first release");
        _rig.Until(() => asker.SavedPosition(1) == 1, "asker does not save the first release");
        SimulatedDiskCopy copy = _rig.Host.Disk.Copy();
        other.Judge = async (_, token) =>
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, other.Scheduler!.Clock, token).ConfigureAwait(false);
            return ReleaseDecision.Accept;
        };
        PublishResult published = _rig.Publish(asker, "2", 2);
        _rig.Until(() => asker.SavedPosition(1) == 2, "asker does not save the second release");
        _other = other;
        return (asker, published, copy);
    }

    private void Restore(SimulatedDiskCopy copy, MarkFate mark)
    {
        _rig.Host.Machine.Crash();
        _other!.Machine.Crash();
        _rig.Host.Restore(copy, mark);
        _rig.World.RunFor(2 * Second);
        _rig.Host.Machine.Start();
    }
}
