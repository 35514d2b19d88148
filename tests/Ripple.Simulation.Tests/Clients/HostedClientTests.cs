using Ripple.Client;
using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;
using Ripple.Testing.Clients;
using Ripple.Testing.Cluster;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Clients;

/// <summary>The real configuration provider and options validation in simulated processes.</summary>
public sealed class HostedClientTests
{
    [Fact]
    public void A_rejected_release_is_not_shown()
    {
        var rig = new ClientRig();
        SimulatedRippleClient asker = rig.Add("asker");
        SimulatedHostedClient hosted = rig.AddHosted("hosted");

        (ulong good, ulong bad) = PublishGoodAndBad(rig, asker, hosted);

        Assert.Equal($"{good}", hosted.ValueAt("a"));
        Assert.Equal($"{bad}", ClientRig.ValueAt(asker));
        Assert.Equal(good, AppliedOf(rig, asker));
    }

    /// <summary>
    /// The configuration is loaded before the services are built, so that nobody validates what the process received before and rejected.
    /// </summary>
    [Fact]
    public void A_rejected_release_is_not_in_effect_after_a_restart_without_a_host()
    {
        var rig = new ClientRig();
        SimulatedRippleClient asker = rig.Add("asker");
        SimulatedHostedClient hosted = rig.AddHosted("hosted");
        (ulong good, _) = PublishGoodAndBad(rig, asker, hosted);

        rig.Host.Machine.Crash();
        Restart(rig, hosted);

        Assert.Equal($"{good}", hosted.ValueAt("a"));
    }

    /// <summary>The same, of what the host sends again.</summary>
    [Fact]
    public void A_rejected_release_is_not_in_effect_after_a_restart()
    {
        var rig = new ClientRig();
        SimulatedRippleClient asker = rig.Add("asker");
        SimulatedHostedClient hosted = rig.AddHosted("hosted");
        (ulong good, _) = PublishGoodAndBad(rig, asker, hosted);

        Restart(rig, hosted);
        ulong applied = AppliedOf(rig, asker);

        Assert.Equal($"{good}", hosted.ValueAt("a"));
        Assert.Equal(good, applied);
    }

    /// <summary>It may start without a release, and without a host to ask for a newer one.</summary>
    [Fact]
    public void A_process_that_accepted_nothing_shows_its_services_nothing_that_it_rejected()
    {
        ClientRig rig;
        SimulatedRippleClient asker;
        SimulatedHostedClient hosted;
        ulong seed = 0;
        do
        {
            rig = new ClientRig(++seed);
            asker = rig.Add("asker");
            hosted = rig.AddHosted("hosted", StartupMode.Background);
        }
        while (hosted.VerdictOn(1) is null);
        rig.Until(() => hosted.HostStartCount == 1, "the host does not start");
        rig.Publish(asker, "1", 1);
        rig.Until(() => hosted.RejectedCount > 0, "the release is not rejected");
        rig.World.RunFor(Second);

        rig.Host.Machine.Crash();
        Restart(rig, hosted);

        Assert.Null(hosted.ValueAt("a"));
    }

    /// <summary>Its validators come later: a start does not wait for what only they can decide.</summary>
    [Fact]
    public void A_new_process_starts_as_soon_as_it_has_what_was_released()
    {
        var rig = new ClientRig();
        SimulatedRippleClient asker = rig.Add("asker");
        rig.Publish(asker, "1", 1);

        SimulatedHostedClient hosted = rig.AddHosted("hosted", rejectShare: 0);
        rig.World.RunFor(2 * Second);

        Assert.Equal(1, hosted.HostStartCount);
        Assert.Equal("1", hosted.ValueAt("a"));
    }

    [Fact]
    public void One_seed_gives_one_run_with_hosted_clients()
    {
        RunResult first = Run(3);
        RunResult second = Run(3);

        Assert.Equal((first.Violation, first.StateHash), (second.Violation, second.StateHash));
    }

    [Fact]
    public void Hosted_clients_show_what_is_released()
    {
        var cluster = new SimulatedCluster(
            1, new ClusterOptions { Nodes = 6, RealClientsEvery = 1, HostedEvery = 3, HasFaults = false, HasForger = false });

        cluster.Run();

        SimulatedHostedClient[] hosted = [.. cluster.Clients.OfType<SimulatedHostedClient>()];
        Assert.Equal(2, hosted.Length);
        Assert.All(hosted, c => Assert.Equal(1, c.HostStartCount));
        Assert.All(hosted, c => Assert.True(c.ShownCount > 10, $"{c.Machine} showed hardly anything"));
        Assert.All(hosted, c => Assert.True(c.ChangedCount > 0, $"a monitor of {c.Machine} told of nothing"));
        Assert.Contains(hosted, c => c.RejectedCount > 0);
    }

    /// <summary>Publishes up to the first release that the hosted client rejects after one that it accepts.</summary>
    private static (ulong Good, ulong Bad) PublishGoodAndBad(ClientRig rig, SimulatedRippleClient asker, SimulatedHostedClient hosted)
    {
        rig.Until(() => hosted.HostStartCount == 1, "the host does not start");
        ulong bad = 2;
        while (hosted.VerdictOn(bad) is null || hosted.VerdictOn(bad - 1) is not null)
        {
            bad++;
        }

        for (ulong release = 1; release <= bad; release++)
        {
            Assert.Equal(release, rig.Publish(asker, $"{release}", release).Release);
            rig.World.RunFor(Second);
        }

        return (bad - 1, bad);
    }

    private static void Restart(ClientRig rig, SimulatedHostedClient hosted)
    {
        hosted.Machine.Crash();
        rig.World.RunFor(5 * Second);
        hosted.Machine.Start();
        rig.Until(() => hosted.HostStartCount == 2, "it does not start again");
        rig.World.RunFor(2 * Second);
    }

    /// <summary>What the last process of the hosted client reports as in effect.</summary>
    private static ulong AppliedOf(ClientRig rig, SimulatedRippleClient asker) =>
        rig.Ask(asker, c => c.StatusAsync("shop")).Members.Where(m => m.Name == "hosted").MaxBy(m => m.Incarnation)!.Applied;

    private static RunResult Run(ulong seed) => new HostedScenario().Run(seed, new ScenarioOptions { Seconds = 40, Nodes = 6 });
}
