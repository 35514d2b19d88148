using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Engine.Tests.Rings;

/// <summary>
/// Random histories of a region in parts, gathered or not, with loss, members that are silent for a while (leaders, too) or crash and come
/// back as new ones, releases that some reject, a stream, and views that begin in the middle of rounds: the sender never knows more than is
/// true, and in the end exactly that, as it would from one ring.
/// RIPPLE_HISTORY_COUNT says how many, else 60.
/// </summary>
public sealed class RingHistoryTests
{
    private const int Steps = 40;
    private const int NewMembersMax = 8;
    private const int RejectionsMax = 3;
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
            AggregateDatagramsMax = random.NextInt32(4),
            IsLost = (_, _, _) => isLossy && random.NextBool(loss),
            DelayNs = (_, _, _) => 20_000 + random.NextInt64(delayMaxNs),
        };
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Streams.Add(new StreamProgress(RingNet.Origin, 0, 0));
        }

        net.Install();
        for (int step = 0; step < Steps; step++)
        {
            Change(net, topics, random);
            Disturb(net, random);
            net.Run(random.NextInt64(20_000_000));
            AssertNeverAboveTruth(net);
        }

        isLossy = false;
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Unmute();
        }

        net.Install(net.NextView(Left(net).Select(n => n.Slot)));
        long endNs = net.NowNs + SettleNs;
        while (net.NowNs < endNs && !IsTold(net))
        {
            net.RunMs(50);
            AssertNeverAboveTruth(net);
        }

        string what = string.Create(
            CultureInfo.InvariantCulture, $"seed {seed}: {members} members in {net.View.PartCount} parts, {topics} topics, loss {loss:P0}");
        foreach (RingNet.Node node in Left(net))
        {
            Assert.All(
                node.Has.Topics, row => Assert.True(IsTold(net, node, row), $"{what}: {row}, told {net.Sender.Of(node.Slot, row.Topic)}"));
            Assert.All(
                node.Has.Rejections, row => Assert.True(IsTold(net, node, row), $"{what}: {row} of {node.Slot} was not told"));
        }

        Assert.True(
            LeastOfParts(net).SequenceEqual(net.Sender.PartStreams.Values.Select(p => p.Least)), $"{what}: the stream was not told");
        Assert.True(net.Sender is { Malformed: 0, MayGoBack: false }, what);
    }

    private static void Change(RingNet net, int topics, DeterministicRandom random)
    {
        uint topic = (uint)(1 + random.NextInt32(topics));
        foreach (RingNet.Node node in Left(net))
        {
            if (random.NextBool(0.3))
            {
                continue;
            }

            LevelRow row = node.Has.Of(topic);
            ulong received = row.Received + (ulong)random.NextInt32(4);
            ulong persisted = row.Persisted + ((received - row.Persisted) / 2);
            node.Has.Set(topic, received, persisted, received);
            StreamProgress stream = node.Has.Streams[0];
            ulong contiguous = stream.Contiguous + (ulong)random.NextInt32(20);
            node.Has.Streams[0] = new StreamProgress(
                RingNet.Origin, contiguous, Math.Max(stream.Highest, contiguous + (ulong)random.NextInt32(5)));
            if (random.NextBool(0.02) && node.Has.Rejections.Count < RejectionsMax)
            {
                node.Has.Rejections.Add(new RejectionRow(topic, 1, received, $"no {node.Slot} {received}"));
            }

            node.Ring.OnChanged();
        }
    }

    private static void Disturb(RingNet net, DeterministicRandom random)
    {
        RingNet.Node[] nodes = [.. net.Members.Values];
        switch (random.NextInt32(8))
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
                net.Install(net.NextView(Left(net).Where((_, i) => i < 2 || random.NextBool(0.8)).Select(n => n.Slot)));
                break;
            case 4:
                Replace(net, random);
                break;
        }
    }

    /// <summary>One crashes, perhaps a leader, and comes back as a new member, which the next view may have.</summary>
    private static void Replace(RingNet net, DeterministicRandom random)
    {
        RingNet.Node[] left = [.. Left(net)];
        RingNet.Node gone = random.NextBool(0.5)
            ? net.Leaders.ElementAt(random.NextInt32(net.View.PartCount))
            : left[random.NextInt32(left.Length)];
        if (gone.HasCrashed || net.Members.Values.Count(n => n.HasCrashed) == NewMembersMax)
        {
            return;
        }

        gone.Crash();
        RingNet.Node member = net.Add(net.Members.Keys.Max() + 1);
        member.Has.Streams.Add(gone.Has.Streams[0]);
    }

    private static IEnumerable<RingNet.Node> Left(RingNet net) => net.Members.Values.Where(n => !n.HasCrashed);

    private static void AssertNeverAboveTruth(RingNet net)
    {
        RingPropertyTests.AssertNeverAboveTruth(net);
        foreach ((uint slot, uint topic, ulong release, string reason) in net.Sender.Rejections)
        {
            Assert.Contains(new RejectionRow(topic, 1, release, reason), net.Members[slot].Has.Rejections);
        }

        foreach ((int part, (ulong least, uint[] silent)) in net.Sender.PartStreams)
        {
            // Who answered has at least what was told, then and now.
            foreach (RegionMember member in MembersOf(net.Sender.View!, part).Where(m => !silent.Contains(m.Slot)))
            {
                ulong has = net.Members[member.Slot].Has.Streams[0].Contiguous;
                Assert.True(least <= has, $"part {part} told {least}, slot {member.Slot} has {has}");
            }
        }
    }

    private static IEnumerable<RegionMember> MembersOf(RegionView view, int part)
    {
        RegionPart of = view.PartAt(part);
        return Enumerable.Range(of.First, of.End - of.First).Select(p => view.Members[p]);
    }

    private static IEnumerable<ulong> LeastOfParts(RingNet net) => Enumerable.Range(0, net.View.PartCount)
        .Select(part => MembersOf(net.View, part).Min(m => net.Members[m.Slot].Has.Streams[0].Contiguous));

    private static bool IsTold(RingNet net) => Left(net).All(node =>
        node.Has.Topics.All(row => IsTold(net, node, row)) && node.Has.Rejections.All(row => IsTold(net, node, row)))
            && LeastOfParts(net).SequenceEqual(net.Sender.PartStreams.Values.Select(p => p.Least));

    private static bool IsTold(RingNet net, RingNet.Node node, RejectionRow row) =>
        net.Sender.Rejections.Contains((node.Slot, row.Topic, row.Release, row.Reason));

    private static bool IsTold(RingNet net, RingNet.Node node, in LevelRow row)
    {
        LevelRow told = net.Sender.Of(node.Slot, row.Topic);
        return (told.Received, told.Persisted, told.Applied) == (row.Received, row.Persisted, row.Applied);
    }
}
