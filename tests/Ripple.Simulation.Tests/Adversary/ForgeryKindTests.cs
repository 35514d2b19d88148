using Ripple.Engine.Core;
using Ripple.Gms;
using Ripple.Testing.Adversary;
using Ripple.Testing.Adversary.Kinds;
using Ripple.Testing.Checking;
using Ripple.Testing.Cluster;

namespace Ripple.Simulation.Tests.Adversary;

public sealed class ForgeryKindTests
{
    public static TheoryData<string> Names => [.. ForgeryKinds.All().Select(k => k.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void What_is_forged_is_opened_by_a_receiver(string name)
    {
        (SimulatedCluster cluster, _) = Run(name, SeedFor(name));

        ForgeryTally tally = cluster.Attacker!.Tally;
        Assert.True(tally.Sent > 0, "nothing was forged");
        if (name == new HostFrames().Name)
        {
            // A host decodes no frame that is not for it: it closes the connection.
            Assert.True(cluster.Host.Gms!.Counters.ControlRefused > 0, "no frame arrived");
            return;
        }

        Assert.True(tally.Opened > 0, $"none of {tally.Sent} was opened");
    }

    [Theory]
    [InlineData("unsigned claims")]
    [InlineData("far-ahead claims")]
    [InlineData("unsigned batches")]
    [InlineData("wrong signatures")]
    [InlineData("positions")]
    [InlineData("parts")]
    [InlineData("group packets")]
    [InlineData("beacons")]
    [InlineData("skips")]
    [InlineData("tokens")]
    [InlineData("newer tokens")]
    [InlineData("aggregates")]
    [InlineData("ring rejections")]
    [InlineData("reports")]
    [InlineData("joins")]
    [InlineData("joins for strangers")]
    public void What_is_forged_reaches_a_table_an_intake_or_a_window(string name)
    {
        (SimulatedCluster cluster, _) = Run(name, SeedFor(name));

        Assert.True(cluster.Attacker!.Tally.New > 0, $"none of {cluster.Attacker.Tally.Opened} opened ones was new");
    }

    [Fact]
    public void Every_kind_has_a_name_of_its_own_and_a_chance()
    {
        IReadOnlyList<IForgery> all = ForgeryKinds.All();

        Assert.Equal(all.Count, all.Select(k => k.Name).Distinct().Count());
        Assert.All(all, k => Assert.InRange(k.Share, 0.01, 1));
    }

    [Fact]
    public void A_former_member_is_heard_no_more()
    {
        var options = new AttackOptions
        {
            StartNs = World.Second,
            EndNs = 30 * World.Second,
            EveryNs = 20 * World.Ms,
            ExpelNs = 5 * World.Second,
            Kinds = [new Naks(), new Beacons()],
        };
        SimulatedCluster cluster = Build(seed: 1, options, seconds: 32);

        Assert.Null(Go(cluster));
        Assert.Equal(1, cluster.Host.Gms!.Counters.Expulsions);
        ForgeryTally tally = cluster.Attacker!.Tally;
        Assert.InRange(tally.Opened, 1, tally.Sent / 2);
    }

    [Fact]
    public void A_member_whose_token_is_revoked_while_it_is_away_is_heard_no_more()
    {
        var attack = new AttackOptions
        {
            StartNs = World.Second,
            EndNs = 24 * World.Second,
            EveryNs = 20 * World.Ms,
            ExpelNs = 5 * World.Second,
            Kinds = [new Naks()],
        };
        SimulatedCluster cluster = Build(1, attack, seconds: 26, tuneHost: o => o with { KeyChangeNsMin = 60 * World.Second });
        cluster.World.Scheduler.Schedule(4 * World.Second, () => cluster.Clients[1].Machine.Crash());

        // No session ends with the token; the key changes all the same, and nothing else would change it in this run.
        Assert.Null(Go(cluster));
    }

    /// <summary>Harm would be seen by the checkers of receiving, deafness, rows, windows and bounds.</summary>
    [Theory]
    [InlineData("aggregates")]
    [InlineData("newer aggregates")]
    [InlineData("newer tokens")]
    [InlineData("ring rejections")]
    [InlineData("poisoned counters")]
    [InlineData("unsigned claims")]
    [InlineData("epoch claims")]
    [InlineData("joins for strangers")]
    [InlineData("floods")]
    public void What_did_harm_once_does_none(string kind)
    {
        string[] harm =
        [
            .. Enumerable.Range(1, 6)
                .Select(seed => (Seed: seed, Run(kind, (ulong)seed, seconds: 40).Violation))
                .Where(r => r.Violation is not null)
                .Select(r => $"seed {r.Seed}: {r.Violation!.Message}"),
        ];
        Assert.True(harm.Length == 0, string.Join('\n', harm));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(14)]
    [InlineData(181)]
    public void Twenty_seeds_in_a_row_have_every_kind(int first)
    {
        IEnumerable<string> drawn = Enumerable.Range(first, ForgeryKinds.TurnSeeds)
            .SelectMany(seed => ForgeryKinds.Draw(new DeterministicRandom((ulong)seed), (ulong)seed))
            .Select(k => k.Name);

        Assert.Empty(ForgeryKinds.All().Select(k => k.Name).Except(drawn));
    }

    internal static (SimulatedCluster Cluster, InvariantViolationException? Violation) Run(string name, ulong seed, int seconds = 16)
    {
        IForgery kind = ForgeryKinds.All().Single(k => k.Name == name);
        var options = new AttackOptions
        {
            StartNs = 2 * World.Second,
            EndNs = (seconds - 4) * World.Second,
            EveryNs = 30 * World.Ms,
            Kinds = [kind],
        };
        // Only where there is a group can anything be sent to it.
        var composition = new ClusterOptions { GroupsMax = kind is GroupPackets ? 2 : 0 };
        SimulatedCluster cluster = Build(seed, options, seconds, composition);
        return (cluster, Go(cluster));
    }

    /// <summary>Only the member that leads its ring is believed about others: a seed in which that is the captured one.</summary>
    private static ulong SeedFor(string name) =>
        name == new Aggregates().Name || name == new NewerAggregates().Name || name == new RingRejections().Name ? 2ul : 1ul;

    internal static SimulatedCluster Build(
        ulong seed,
        AttackOptions attack,
        int seconds,
        ClusterOptions? options = null,
        Func<GmsOptions, GmsOptions>? tuneHost = null) => new(
        seed,
        (options ?? new ClusterOptions()) with
        {
            DurationNs = seconds * World.Second,
            QuietEndNs = 2 * World.Second,
            HasFaults = false,
            HasForger = false,
            TuneHost = o => (tuneHost ?? (same => same))(o with { CatchUpReleasesMax = 64 }),
            Attack = attack,
        });

    internal static InvariantViolationException? Go(SimulatedCluster cluster)
    {
        try
        {
            cluster.Run();
            return null;
        }
        catch (InvariantViolationException e)
        {
            return e;
        }
    }
}
