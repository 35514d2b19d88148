using Ripple.Engine.Core;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Engine.Tests.Rings;

public sealed class RingPropertyTests
{
    public static TheoryData<ulong> Seeds => [.. Enumerable.Range(1, 40).Select(i => (ulong)i)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Levels_at_the_sender_never_exceed_the_truth_and_equal_it_at_last(ulong seed) => Check(seed, partMembers: 0);

    /// <summary>The same histories, gathered by several rings.</summary>
    [Theory]
    [MemberData(nameof(Seeds))]
    public void What_parts_tell_never_exceeds_the_truth_and_equals_it_at_last(ulong seed) => Check(seed, partMembers: 1 + (int)(seed % 7));

    private static void Check(ulong seed, int partMembers)
    {
        var random = new DeterministicRandom(seed);
        int memberCount = 2 + random.NextInt32(30);
        int topicCount = 1 + random.NextInt32(20);
        double loss = random.NextDouble() * 0.3;
        long delayMaxNs = 50_000 + random.NextInt64(5_000_000);
        var net = new RingNet(memberCount, seed: seed, partMembers: partMembers)
        {
            IsLost = (_, _, _) => random.NextBool(loss),
            DelayNs = (_, _, _) => 20_000 + random.NextInt64(delayMaxNs),
        };
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Streams.Add(new StreamProgress(RingNet.Origin, 0, 0));
        }

        net.Install();
        ulong minimum = 0;
        for (int step = 0; step < 400; step++)
        {
            uint topic = (uint)(1 + random.NextInt32(topicCount));
            foreach (RingNet.Node node in net.Members.Values)
            {
                Advance(node, topic, random);
            }

            net.Run(random.NextInt64(10_000_000));
            AssertNeverAboveTruth(net);
            minimum = net.Members.Values.Min(n => n.Has.Streams[0].Contiguous);
            // A part says nothing of the members of others.
            Assert.True(net.View.PartCount > 1 || net.Sender.Streams.GetValueOrDefault(RingNet.Origin) <= minimum);
        }

        foreach (RingNet.Node node in net.Members.Values)
        {
            // Some never catch up: half the seeds end unsettled.
            for (uint topic = 1; topic <= topicCount && (seed % 2 == 0 || node.Slot % 5 != 0); topic++)
            {
                node.Has.Set(topic, 400, 400, 400);
            }
        }

        long endNs = net.NowNs + 120_000_000_000;
        while (net.NowNs < endNs && !IsEqual(net))
        {
            net.RunMs(100);
            AssertNeverAboveTruth(net);
        }

        Assert.True(
            IsEqual(net),
            $"seed {seed}: {memberCount} members, {topicCount} topics, loss {loss:P0}, {net.Leader.Ring.Counters.Rounds} rounds");
        Assert.False(net.Sender.MayGoBack);
        Assert.Equal(net.Members.Values.Sum(n => n.Has.Rejections.Count), net.Sender.Rejections.Count);
    }

    internal static void AssertNeverAboveTruth(RingNet net)
    {
        foreach (((uint slot, uint topic), LevelRow seen) in net.Sender.Levels)
        {
            LevelRow truth = net.Members[slot].Has.Of(topic);
            Assert.True(
                seen.Generation == truth.Generation
                    && seen.Received <= truth.Received
                    && seen.Persisted <= truth.Persisted
                    && seen.Applied <= truth.Applied,
                $"slot {slot}: seen {seen}, true {truth}");
        }
    }

    private static void Advance(RingNet.Node node, uint topic, DeterministicRandom random)
    {
        LevelRow row = node.Has.Of(topic);
        ulong received = Math.Min(400, row.Received + (ulong)random.NextInt32(12));
        ulong persisted = Math.Max(row.Persisted, received - Math.Min(received, (ulong)random.NextInt32(9)));
        ulong applied = Math.Max(row.Applied, received - Math.Min(received, (ulong)random.NextInt32(9)));
        node.Has.Set(topic, received, persisted, applied);
        StreamProgress stream = node.Has.Streams[0];
        ulong contiguous = stream.Contiguous + (ulong)random.NextInt32(20);
        node.Has.Streams[0] = new StreamProgress(
            RingNet.Origin, contiguous, Math.Max(stream.Highest, contiguous + (ulong)random.NextInt32(5)));
        if (random.NextBool(0.01) && node.Has.Rejections.Count == 0)
        {
            node.Has.Rejections.Add(new RejectionRow(topic, 1, received, $"no {node.Slot}"));
        }

        node.Ring.OnChanged();
    }

    private static bool IsEqual(RingNet net)
    {
        foreach (RingNet.Node node in net.Members.Values)
        {
            foreach (LevelRow row in node.Has.Topics)
            {
                LevelRow seen = net.Sender.Of(node.Slot, row.Topic);
                ulong newest = net.Members.Values.Max(n => n.Has.Of(row.Topic).Received);
                // What is more than 253 behind cannot be told, so it is not asked for.
                if ((seen.Received != row.Received && newest - row.Received < 254)
                    || (seen.Persisted != row.Persisted && newest - row.Persisted < 254)
                    || (seen.Applied != row.Applied && newest - row.Applied < 254))
                {
                    return false;
                }
            }
        }

        return net.Members.Values.Sum(n => n.Has.Rejections.Count) == net.Sender.Rejections.Count;
    }
}
