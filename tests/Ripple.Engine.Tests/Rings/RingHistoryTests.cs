using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Rings;

/// <summary>
/// Random histories of a region in parts, gathered or not, with loss, members that are silent for a while (leaders, too), and views that
/// begin in the middle of rounds: the sender never knows more than is true, and in the end exactly that, as it would from one ring.
/// RIPPLE_HISTORY_COUNT says how many, else 60.
/// </summary>
public sealed class RingHistoryTests
{
    private const int Steps = 40;
    private const long SettleNs = 60_000_000_000;

    private static readonly int Count = int.TryParse(
        Environment.GetEnvironmentVariable("RIPPLE_HISTORY_COUNT"), NumberStyles.None, CultureInfo.InvariantCulture, out int count)
            ? count
            : 60;

    [Fact]
    public void Rows_are_never_above_the_truth_and_equal_it_at_last()
    {
        var oneACore = new ParallelOptions { MaxDegreeOfParallelism = Environment.ProcessorCount };
        Parallel.For(1, Count + 1, oneACore, seed => Check((ulong)seed));
    }

    private static void Check(ulong seed)
    {
        var random = new DeterministicRandom(seed);
        int members = 4 + random.NextInt32(28);
        int topics = 1 + random.NextInt32(6);
        double loss = random.NextBool(0.5) ? random.NextDouble() * 0.2 : 0;
        bool isLossy = true;
        long delayMaxNs = 50_000 + random.NextInt64(3_000_000);
        var net = new RingNet(members, seed: seed, partMembers: random.NextInt32(6))
        {
            GatheredParts = random.NextInt32(4),
            IsLost = (_, _, _) => isLossy && random.NextBool(loss),
            DelayNs = (_, _, _) => 20_000 + random.NextInt64(delayMaxNs),
        };
        net.Install();
        for (int step = 0; step < Steps; step++)
        {
            Change(net, topics, random);
            Disturb(net, random);
            net.Run(random.NextInt64(20_000_000));
            RingPropertyTests.AssertNeverAboveTruth(net);
        }

        isLossy = false;
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Unmute();
        }

        net.Install(net.NextView(net.Members.Keys));
        long endNs = net.NowNs + SettleNs;
        while (net.NowNs < endNs && !IsTold(net))
        {
            net.RunMs(50);
            RingPropertyTests.AssertNeverAboveTruth(net);
        }

        string what = string.Create(
            CultureInfo.InvariantCulture, $"seed {seed}: {members} members in {net.View.PartCount} parts, {topics} topics, loss {loss:P0}");
        foreach (RingNet.Node node in net.Members.Values)
        {
            Assert.All(
                node.Has.Topics, row => Assert.True(IsTold(net, node, row), $"{what}: {row}, told {net.Sender.Of(node.Slot, row.Topic)}"));
        }

        Assert.True(net.Sender is { Malformed: 0, MayGoBack: false }, what);
    }

    private static void Change(RingNet net, int topics, DeterministicRandom random)
    {
        uint topic = (uint)(1 + random.NextInt32(topics));
        foreach (RingNet.Node node in net.Members.Values)
        {
            if (random.NextBool(0.3))
            {
                continue;
            }

            LevelRow row = node.Has.Of(topic);
            ulong received = row.Received + (ulong)random.NextInt32(4);
            ulong persisted = row.Persisted + ((received - row.Persisted) / 2);
            node.Has.Set(topic, received, persisted, received);
            node.Ring.OnChanged();
        }
    }

    private static void Disturb(RingNet net, DeterministicRandom random)
    {
        RingNet.Node[] nodes = [.. net.Members.Values];
        switch (random.NextInt32(6))
        {
            case 0:
                nodes[random.NextInt32(nodes.Length)].Mute();
                break;
            case 1:
                net.Leaders.ElementAt(random.NextInt32(net.View.PartCount)).Mute();
                break;
            case 2:
                Array.ForEach(nodes, n => n.Unmute());
                break;
            case 3:
                // At least two remain; who is not in the view goes on changing.
                net.Install(net.NextView(nodes.Where((_, i) => i < 2 || random.NextBool(0.8)).Select(n => n.Slot)));
                break;
        }
    }

    private static bool IsTold(RingNet net) => net.Members.Values.All(node => node.Has.Topics.All(row => IsTold(net, node, row)));

    private static bool IsTold(RingNet net, RingNet.Node node, in LevelRow row)
    {
        LevelRow told = net.Sender.Of(node.Slot, row.Topic);
        return (told.Received, told.Persisted, told.Applied) == (row.Received, row.Persisted, row.Applied);
    }
}
