using Ripple.Client;
using Ripple.Simulator.Clients;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Clients;

public sealed class RealClientTests
{
    [Fact]
    public void A_client_starts_receives_and_publishes()
    {
        var rig = new ClientRig();
        SimulatedRippleClient one = rig.Add("one");
        SimulatedRippleClient two = rig.Add("two");
        var watched = new List<ulong>();
        two.OnWatched = (_, release) => watched.Add(release.Release);

        PublishResult first = rig.Publish(one, "1", 1);
        PublishResult second = rig.Publish(one, "2", 2);
        PublishResult again = rig.Publish(one, "1", 1);
        rig.Until(() => ClientRig.ValueAt(two) == "2", "two does not have the second release");
        rig.World.RunFor(Second);

        Assert.Equal((1ul, 2ul, 1ul), (first.Release, second.Release, again.Release));
        Assert.Equal([1ul, 2ul], watched);
        Assert.Equal(ConnectionState.Connected, two.Client!.ConnectionState);
    }

    [Fact]
    public void A_wait_is_answered_and_a_value_is_read()
    {
        var rig = new ClientRig();
        SimulatedRippleClient one = rig.Add("one");
        SimulatedRippleClient two = rig.Add("two");
        rig.Until(() => two.Client is not null, "two does not start");
        PublishResult published = rig.Publish(one, "1", 1);

        WaitResult wait = rig.Ask(one, c => c.WaitAsync("shop", published.Release, "MIN($ALL.applied)", TimeSpan.FromSeconds(20)));
        ReadResult? read = rig.Ask(one, c => c.ReadAsync("shop", "a"));
        ApplicationStatus status = rig.Ask(one, c => c.StatusAsync("shop"));

        Assert.Equal(WaitOutcome.Held, wait.Outcome);
        Assert.Equal("1", ClientRig.ValueAt(two));
        Assert.Equal("1"u8.ToArray(), read!.Value.ToArray());
        Assert.Equal(2, status.Members.Count(m => m.Applied == 1));
    }

    [Fact]
    public void A_publish_is_asked_again_until_the_host_is_back()
    {
        var rig = new ClientRig();
        SimulatedRippleClient one = rig.Add("one");
        rig.Publish(one, "1", 1);
        rig.Host.Machine.Crash();
        rig.World.RunFor(Second);
        Func<Task<PublishResult>?> asked = ClientRig.Begin(one, c => c.PublishAsync(new PublishRequest
        {
            Set = new Dictionary<string, ReadOnlyMemory<byte>> { ["a"] = new byte[1] },
        }));
        rig.World.RunFor(3 * Second);
        Assert.False(asked()!.IsCompleted);

        rig.Host.Machine.Start();
        rig.Until(() => asked()!.IsCompleted, "the publish does not end");

        Assert.Equal(2ul, ClientRig.ResultOf(asked).Release);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_process_starts_from_its_snapshot_without_a_host(bool isSilent)
    {
        var rig = new ClientRig();
        SimulatedRippleClient one = rig.Add("one");
        rig.Publish(one, "1", 1);
        rig.Until(() => one.SavedPosition(1) == 1, "nothing is saved");
        rig.World.RunFor(Second);

        rig.Host.Machine.Crash();
        one.Machine.Crash(isSilent);
        one.Machine.Start();
        rig.Until(() => one.Client is not null, "it does not start");

        Assert.Equal("1", ClientRig.ValueAt(one));
        Assert.NotEqual(ConnectionState.Connected, one.Client!.ConnectionState);
    }

    [Fact]
    public void A_damaged_snapshot_is_not_used()
    {
        var rig = new ClientRig();
        SimulatedRippleClient one = rig.Add("one");
        rig.Publish(one, "1", 1);
        rig.Until(() => one.SavedPosition(1) == 1, "nothing is saved");
        rig.World.RunFor(Second);
        string path = one.Folder.Paths.Single(p => p.EndsWith(".snapshot", StringComparison.Ordinal));
        byte[] content = one.Folder.Find(path)!.Content.ToArray();
        content[^40] ^= 1;

        rig.Host.Machine.Crash();
        one.Machine.Crash();
        one.Folder.Put(path, new SimulatedFile(content, null, IsFlushed: true));
        one.Machine.Start();
        rig.World.RunFor(15 * Second);
        Assert.Null(one.Client);
        Assert.True(one.FailedStartCount > 0);
        rig.Host.Machine.Start();

        rig.Until(() => ClientRig.ValueAt(one) == "1", "it does not get the release from the host");
    }

    [Fact]
    public void A_save_that_fails_is_not_reported()
    {
        var rig = new ClientRig();
        SimulatedRippleClient one = rig.Add("one");
        rig.Until(() => one.Client is not null, "it does not start");
        one.Folder.Faults = new FolderFaults { FullShare = 1 };

        PublishResult published = rig.Publish(one, "1", 1);
        WaitResult wait = rig.Ask(one, c => c.WaitAsync("shop", published.Release, "MIN($ALL.persisted)", TimeSpan.FromSeconds(3)));

        Assert.Equal(WaitOutcome.TimedOut, wait.Outcome);
        Assert.Equal("1", ClientRig.ValueAt(one));
    }

    [Fact]
    public void A_callback_that_never_answers_rejects()
    {
        var rig = new ClientRig();
        SimulatedRippleClient one = rig.Add("one");
        rig.Until(() => one.Client is not null, "it does not start");
        one.Judge = async (_, token) =>
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, one.Scheduler!.Clock, token).ConfigureAwait(false);
            return ReleaseDecision.Accept;
        };

        PublishResult published = rig.Publish(one, "1", 1);
        WaitResult wait = rig.Ask(one, c => c.WaitAsync("shop", published.Release, "MIN($ALL.applied)", TimeSpan.FromSeconds(20)));

        Assert.Equal(WaitOutcome.CannotHold, wait.Outcome);
        Assert.Null(ClientRig.ValueAt(one));
    }

    [Fact]
    public void A_rejected_release_is_judged_again_after_a_restart()
    {
        var rig = new ClientRig();
        SimulatedRippleClient one = rig.Add("one");
        SimulatedRippleClient two = rig.Add("two");
        rig.Publish(one, "good", 1);
        rig.Until(() => ClientRig.ValueAt(two) == "good", "two does not have the first release");
        two.Judge = (_, _) => ValueTask.FromResult(ReleaseDecision.Reject("bad"));
        rig.Publish(one, "bad", 2);
        rig.World.RunFor(2 * Second);

        two.Machine.Crash();
        two.Machine.Start();
        rig.Until(() => two.Client is not null, "two does not start");
        rig.World.RunFor(2 * Second);

        Assert.Equal("bad", ClientRig.ValueAt(one));
        Assert.Equal("good", ClientRig.ValueAt(two));
    }
}
