using System.Globalization;
using Ripple.Gms;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Tests.Cluster;

/// <summary>
/// Who lost its power is missed soon, and who only stands still or is slow is not removed. RIPPLE_DETECTION_COUNT says in how many runs of
/// 24 node-minutes, else 10.
/// </summary>
public sealed class DetectionTests
{
    private const long MillisecondNs = 1_000_000;
    private const long SecondNs = 1_000_000_000;
    private const long CutNs = 20 * SecondNs;
    // Between two releases, on average: long enough for rings to settle and to turn once a second.
    private const long IdleNs = 14 * SecondNs;
    private const int Nodes = 24;
    private const int SlowEvery = 5;
    private const double Slowness = 10;
    // In which who stood still is heard.
    private const long AwakeNs = 100 * MillisecondNs;

    private static readonly int Count = int.TryParse(
        Environment.GetEnvironmentVariable("RIPPLE_DETECTION_COUNT"), NumberStyles.None, CultureInfo.InvariantCulture, out int count)
            ? count
            : 10;

    /// <summary>
    /// A node's number, and so its rank in its part or none; how long after the second its power is cut; and whether nothing is published
    /// at that time, so that rings turn once a second alone.
    /// </summary>
    public static MatrixTheoryData<int, int, bool> Cuts => new([1, 2, 7, 16], [0, 250, 500, 750], [false, true]);

    [Theory]
    [MemberData(nameof(Cuts))]
    public void Who_loses_its_power_is_removed_within_three_seconds(int number, int afterMs, bool isIdle)
    {
        SimulatedCluster cluster = Make(seed: (ulong)(number + afterMs), isIdle);
        long cutNs = CutNs + (afterMs * MillisecondNs);
        long removedNs = 0;
        cluster.World.Scheduler.Schedule(cutNs, () => cluster.Clients[number].Machine.Crash(isSilent: true));
        for (long ns = cutNs; ns < cutNs + (10 * SecondNs); ns += 50 * MillisecondNs)
        {
            long atNs = ns;
            cluster.World.Scheduler.Schedule(ns, () =>
            {
                if (removedNs == 0 && Counters(cluster).Failures > 0)
                {
                    removedNs = atNs;
                }
            });
        }

        cluster.World.Scheduler.Schedule(cutNs + (12 * SecondNs), () => cluster.Clients[number].Machine.Start());
        cluster.Run();

        Assert.InRange((removedNs - cutNs) / (double)SecondNs, 1, 3);
        Assert.Equal((1L, 1L), (Counters(cluster).Failures, Counters(cluster).FailuresByRing));
    }

    [Fact]
    public void Who_stands_still_for_a_second_or_is_ten_times_slower_than_others_stays()
    {
        Parallel.For(1, Count + 1, new ParallelOptions { MaxDegreeOfParallelism = Environment.ProcessorCount }, run =>
        {
            ulong seed = (ulong)run;
            SimulatedCluster cluster = Make(seed);
            for (int i = 0; i < Nodes; i += SlowEvery)
            {
                cluster.Clients[i].Machine.Slowness = Slowness;
            }

            var random = new Random((int)seed);
            long[] runsAgainNs = new long[Nodes];
            for (long ns = 10 * SecondNs; ns < 40 * SecondNs; ns += 300 * MillisecondNs)
            {
                int paused = random.Next(Nodes);
                long pauseNs = random.NextInt64(SecondNs);
                if (ns < runsAgainNs[paused] + AwakeNs)
                {
                    // Two that follow one another at once are one, of up to two seconds.
                    continue;
                }

                runsAgainNs[paused] = ns + pauseNs;
                cluster.World.Scheduler.Schedule(ns, () => cluster.Clients[paused].Machine.Pause(pauseNs));
            }

            cluster.Run();
            Assert.Equal((seed, 0L), (seed, Counters(cluster).Failures));
        });
    }

    private static GmsCounters Counters(SimulatedCluster cluster) => cluster.Host.Gms!.Counters;

    private static SimulatedCluster Make(ulong seed, bool isIdle = false)
    {
        var options = new ClusterOptions { Nodes = Nodes, HasFaults = false, HasForger = false, RejectShare = 0, PartMembers = 6 };
        return new SimulatedCluster(seed, isIdle ? options with { PublishEveryNs = IdleNs } : options);
    }
}
