using Ripple.Engine.Core;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

/// <summary>
/// How the way from a change to the sender's rows grows with the region, at 2 ms a hop: with a part, and not with the members. Times are
/// those of the simulated network.
/// </summary>
public sealed class RingGrowthTests
{
    private const uint Topic = 7;
    private const long HopNs = 2_000_000;
    private const int PartMembers = 24;
    private const int Events = 60;
    private const int WarmUp = 10;

    [Theory]
    [InlineData(200)]
    [InlineData(1_600)]
    [InlineData(2_400)]
    public void A_change_after_a_quiet_second_is_told_in_the_hops_of_a_part(int members)
    {
        Growth growth = new(members);
        double[] ms = [.. Enumerable.Range(0, Events).Select(_ =>
        {
            growth.Net.RunMs(900 + (long)(growth.Random.NextUInt64() % 200));
            return growth.Change();
        })];
        Write(members, "quiet", ms);
        Assert.InRange(Percentile(ms, 99), PartMembers * 2, growth.TwoRoundsAndAHalfMs);
    }

    [Theory]
    [InlineData(200)]
    [InlineData(1_600)]
    [InlineData(2_400)]
    public void Changes_twenty_times_a_second_are_told_in_two_rounds_and_a_half_of_a_part(int members)
    {
        Growth growth = new(members);
        var ms = new List<double>();
        growth.Net.RunMs(1_000);
        long aggregatesBefore = growth.Aggregates;
        long roundsBefore = growth.Rounds;
        for (int i = 0; i < Events; i++)
        {
            long beganNs = growth.Net.NowNs;
            ms.Add(growth.Change());
            growth.Net.Run(Math.Max(0, beganNs + 50_000_000 - growth.Net.NowNs));
        }

        Write(members, "busy", [.. ms]);
        Assert.InRange(Percentile([.. ms], 99), PartMembers * 2, growth.TwoRoundsAndAHalfMs);

        // The sender hears of each part once a round, and nothing that one packet does not hold.
        Assert.InRange(growth.Aggregates - aggregatesBefore, 1, growth.Rounds - roundsBefore + growth.Net.View.PartCount);
        Assert.InRange(growth.LargestBytes, 1, WireLimits.FramesBytesMax);
    }

    [Theory]
    [InlineData(500, 8, 3)]
    [InlineData(1_600, 8, 8)]
    [InlineData(2_400, 8, 15)]
    [InlineData(500, 10, 2)]
    [InlineData(1_600, 10, 7)]
    [InlineData(2_400, 10, 10)]
    [InlineData(1_600, 16, 9)]
    public void Gathered_they_take_two_hops_more_and_few_datagrams(int members, int datagramsMax, int datagrams)
    {
        (double straightMs, int straight, _) = Measure(members, gathered: 0);
        (double gatheredMs, int gathered, long rounds) = Measure(members, datagramsMax);
        TestContext.Current.TestOutputHelper?.WriteLine(FormattableString.Invariant(
            $"{members} by {datagramsMax}: p50 {straightMs} ms, {straight} datagrams; {gatheredMs}, {gathered} in {rounds} rounds"));
        Assert.InRange(gathered, rounds, datagrams * rounds);
        // Not a quarter of a round as well, which a datagram waits that does not have all: one that is full waits for nothing.
        Assert.InRange(gatheredMs, 1, straightMs + (2 * HopNs / 1e6));

        // The rounds of the part that had most.
        static (double P50Ms, int Datagrams, long Rounds) Measure(int members, int gathered)
        {
            Growth growth = new(members);
            growth.Net.AggregateDatagramsMax = gathered;
            growth.Net.RunMs(2_000);
            for (int i = 0; i < WarmUp; i++)
            {
                // Leaders learn how long a round takes, and when one can succeed.
                growth.Net.RunMs(100);
                growth.Change();
            }

            int before = growth.Net.SenderDatagrams;
            long[] roundsBefore = [.. growth.Net.Leaders.Select(n => n.Ring.Counters.Rounds)];
            double[] ms = [.. Enumerable.Range(0, Events).Select(_ =>
            {
                growth.Net.RunMs(100);
                return growth.Change();
            })];
            long rounds = growth.Net.Leaders.Zip(roundsBefore, (n, b) => n.Ring.Counters.Rounds - b).Max();
            return (Percentile(ms, 50), growth.Net.SenderDatagrams - before, rounds);
        }
    }

    private static void Write(int members, string load, double[] ms) =>
        TestContext.Current.TestOutputHelper?.WriteLine(FormattableString.Invariant(
            $"{members} {load}: event to rows p50 {Percentile(ms, 50)}, p99 {Percentile(ms, 99)}, most {ms.Max()} ms"));

    private static double Percentile(double[] values, double percent) =>
        values.Order().ElementAt((int)Math.Ceiling(percent / 100 * values.Length) - 1);

    private sealed class Growth
    {
        private ulong _level;

        public Growth(int members)
        {
            Net = new RingNet(members, partMembers: PartMembers) { DelayNs = (_, _, _) => HopNs };
            Net.OnSent = (_, to, type) => Aggregates += to == 0 && type == FrameType.Aggregate ? 1 : 0;
            Net.OnBytes = (_, frames) => LargestBytes = Math.Max(LargestBytes, frames.Length);
            foreach (RingNet.Node node in Net.Members.Values)
            {
                // Each aggregate tells of the region's stream, as real ones do.
                node.Has.Streams.Add(new StreamProgress(RingNet.Origin, 0, 0));
            }

            Net.Install();
            Change();
        }

        public RingNet Net { get; }

        public DeterministicRandom Random { get; } = new(5);

        public long Aggregates { get; private set; }

        public int LargestBytes { get; private set; }

        /// <summary>
        /// Of the largest part: the round that is under way when a release comes, the pause of half a round, and the one that tells.
        /// </summary>
        public double TwoRoundsAndAHalfMs =>
            (2.5 * HopNs / 1e6 * Enumerable.Range(0, Net.View.PartCount).Select(Net.View.PartAt).Max(p => p.End - p.First)) + 5;

        public long Rounds => Net.Members.Values.Sum(n => n.Ring.Counters.Rounds);

        /// <summary>All apply a release, each at its moment within a millisecond; the milliseconds until the sender knows.</summary>
        public double Change()
        {
            long beganNs = Net.NowNs;
            _level++;
            RingNet.Node[] order = [.. Net.Members.Values.OrderBy(_ => Random.NextUInt64())];
            for (int i = 0; i < order.Length; i++)
            {
                order[i].Has.Set(Topic, _level, _level, _level);
                order[i].Has.Streams[0] = new StreamProgress(RingNet.Origin, _level, _level);
                order[i].Ring.OnChanged();
                if (i % 100 == 0)
                {
                    Net.Run(1_000_000L * 100 / order.Length);
                }
            }

            int next = 0;
            uint[] slots = [.. Net.Members.Keys];
            while (true)
            {
                while (next < slots.Length && Net.Sender.Of(slots[next], Topic).Applied >= _level)
                {
                    next++;
                }

                if (next == slots.Length)
                {
                    return (Net.NowNs - beganNs) / 1e6;
                }

                Net.Run(HopNs / 4);
                Assert.True(Net.NowNs - beganNs < 10_000_000_000, "the change is not told");
            }
        }
    }
}
