using System.Text;
using Ripple.Client;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Publishing;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Gms.Tests.Publishing;
using Ripple.Gms.Tests.Server;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Network;
using Ripple.Simulator.Oracles;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>A publisher that is faster than everybody is told so; one slow region among others slows nobody.</summary>
public sealed class BackPressureTests
{
    private const long SecondNs = 1_000_000_000;
    private const long FloodStartNs = 10 * SecondNs;
    private const long FloodEveryNs = 1_000_000;
    private const string Key = "a.bin";
    private const int FloodPublishes = 300;

    // More than twice a window altogether.
    private const int ValueBytes = 30_000;

    [Fact]
    public void A_publish_is_refused_while_all_regions_are_behind_and_taken_again_afterwards()
    {
        (SimulatedCluster cluster, List<ErrorCode> flood, List<ErrorCode> later) = Run("east", "west");
        Assert.Contains(ErrorCode.Busy, flood);
        Assert.True(flood.Count(c => c == ErrorCode.None) > 50, "The windows were not full.");
        Assert.Equal(FloodPublishes, flood.Count);
        Assert.All(later, c => Assert.Equal(ErrorCode.None, c));
        Assert.Equal(flood.Concat(later).Count(c => c == ErrorCode.None), cluster.CommittedCount);
    }

    [Fact]
    public void One_region_that_is_behind_holds_nobody_up()
    {
        (SimulatedCluster cluster, List<ErrorCode> flood, List<ErrorCode> later) = Run("west");
        Assert.All(flood.Concat(later), c => Assert.Equal(ErrorCode.None, c));
        Assert.True(cluster.Host.Gms!.Counters.StreamSkips > 0, "The region was not behind: the test shows nothing.");
    }

    [Fact]
    public async Task A_client_that_was_only_ever_told_busy_says_so_and_not_that_no_host_answered()
    {
        using var directory = new TempDirectory();
        // No value fits.
        await using HostHarness host = await HostHarness.StartAsync(
            directory.Path, o => o with { Gms = o.Gms with { UploadBytesMax = 1 } });
        await using RippleClient client = await RippleClient.ConnectAsync(
            $"Endpoints={host.Server.Endpoint};Authority=sha256:{Convert.ToHexStringLower(host.Client.Authority.Span)};"
            + $"Token={host.Admin.Token!.Reveal()}",
            new RippleClientOptions
            {
                Application = "default",
                SnapshotMode = SnapshotMode.Off,
                ConnectTimeout = ControlHarness.Patience,
                // Time for one answer at least, on any machine.
                PublishTimeout = TimeSpan.FromSeconds(5),
            },
            HostHarness.Cancel);
        var set = new Dictionary<string, ReadOnlyMemory<byte>> { ["a.bin"] = new byte[100] };
        var publish = new PublishRequest { Note = "a test", Set = set };
        RipplePublishException refused = await Assert.ThrowsAsync<RipplePublishException>(
            () => client.PublishAsync(publish, HostHarness.Cancel));
        Assert.Equal(ErrorCode.Busy, refused.Code);
        Assert.Contains("Try again", refused.Message, StringComparison.Ordinal);
    }

    /// <summary>
    /// A cluster whose zones lose all datagrams from the host while one publish a millisecond comes, and none any more ten seconds later.
    /// That all have converged at the end is checked by the cluster.
    /// </summary>
    private static (SimulatedCluster Cluster, List<ErrorCode> Flood, List<ErrorCode> Later) Run(params string[] lost)
    {
        var options = new ClusterOptions
        {
            HasFaults = false,
            HasForger = false,
            PublishEveryNs = 3_600 * SecondNs,
            DurationNs = 60 * SecondNs,
            QuietEndNs = 20 * SecondNs,
        };
        var cluster = new SimulatedCluster(1, options);
        List<ErrorCode> flood = [];
        List<ErrorCode> later = [];
        var dead = new PathProfile { LatencyNs = 1_000_000, Loss = 1 };
        cluster.World.Scheduler.Schedule(FloodStartNs - 1, () => Set(dead));
        for (int i = 0; i < FloodPublishes; i++)
        {
            Publish(FloodStartNs + (i * FloodEveryNs), i, flood);
        }

        cluster.World.Scheduler.Schedule(2 * FloodStartNs, () => Set(new PathProfile { LatencyNs = 1_000_000 }));
        for (int i = 0; i < 10; i++)
        {
            Publish((3 * FloodStartNs) + (i * SecondNs / 10), FloodPublishes + i, later);
        }

        cluster.Run();
        return (cluster, flood, later);

        void Set(PathProfile profile) => Array.ForEach(lost, zone => cluster.World.Paths.Set("east", zone, profile));

        void Publish(long atNs, int number, List<ErrorCode> answers) =>
            cluster.World.Scheduler.Schedule(atNs, () => cluster.Host.Machine.Post(() =>
            {
                PreparedPublish prepared = Prepare(number, out string value);
                cluster.Oracles.Model.Book.Record(IntentOf(prepared.Input, value));
                cluster.Host.Gms!.Find(SimulatedCluster.Application)!.Publish(prepared, "test", a => answers.Add(a.Code));
            }));
    }

    private static PreparedPublish Prepare(int number, out string value)
    {
        byte[] bytes = new byte[ValueBytes];
        new Random(number).NextBytes(bytes);
        value = Convert.ToHexString(bytes)[..ValueBytes];
        return PrimaryHarness.Prepare(new Guid(number + 1, 0, 0, new byte[8]), Key, value);
    }

    private static PublishIntent IntentOf(PublishInput input, string value) => new(
        input.PublishId,
        SimulatedCluster.Application,
        PublishIntent.NoChanges.Add(Key, Encoding.UTF8.GetBytes(value)),
        ExpectedState.Any,
        null,
        null,
        input.Note);
}
