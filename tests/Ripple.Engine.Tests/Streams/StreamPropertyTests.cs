using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Simulator.Stack;

namespace Ripple.Engine.Tests.Streams;

public sealed class StreamPropertyTests
{
    [Theory]
    [InlineData(0, 20)]
    [InlineData(100, 20)]
    [InlineData(200, 20)]
    public void Under_loss_copies_and_reordering_every_message_arrives_exactly_once(int firstSeed, int seeds)
    {
        for (int seed = firstSeed; seed < firstSeed + seeds; seed++)
        {
            Check((ulong)seed);
        }
    }

    private static void Check(ulong seed)
    {
        var random = new DeterministicRandom(seed);
        var network = new StreamNetwork(seed)
        {
            Faults = new FaultPolicy
            {
                DropProbability = random.NextDouble() * 0.3,
                DuplicateProbability = random.NextDouble() * 0.2,
                ReorderProbability = random.NextDouble() * 0.3,
                DelayNsMax = random.NextInt64(2_000_000),
            },
        };
        var options = new StreamOptions
        {
            WindowPackets = 32 + random.NextInt32(1_000),
            AssemblyBytesMax = (2 * WireLimits.MessageBytesMax) + random.NextInt32(1_000_000),
            AssemblyCountMax = 2 + random.NextInt32(20),
        };
        using var host = new StreamHost(network, options);
        host.Join(1 + random.NextInt32(4), options);
        var sent = new List<(uint Topic, byte[] Message)>();
        var owedFrom = new Dictionary<StreamMember, int>();
        foreach (StreamMember member in host.Members)
        {
            owedFrom[member] = 0;
        }

        for (int burst = 0; burst < 20; burst++)
        {
            for (int i = random.NextInt32(12); i >= 0; i--)
            {
                int bytes = random.NextBool(0.1) ? random.NextInt32(WireLimits.MessageBytesMax + 1) : random.NextInt32(3_000);
                byte[] message = StreamDeliveryTests.Payload(sent.Count, bytes);
                sent.Add(((uint)sent.Count, message));
                host.Send((uint)sent.Count - 1, message);
            }

            network.Run(random.NextInt64(5_000_000));
            if (random.NextBool(0.6))
            {
                host.Aggregate();
            }

            if (burst == 10)
            {
                // What is on its way is not owed to a joiner; what is queued now is.
                StreamMember joiner = host.Join(1, options)[0];
                owedFrom[joiner] = sent.Count;
            }
        }

        bool isDone = network.RunUntil(
            () =>
            {
                host.Aggregate();
                return host.Sender.Counters.Messages == sent.Count
                    && host.Sender.Floor == host.Sender.Highest
                    && host.Members.All(m => m.Receiver.Contiguous == host.Sender.Highest && m.Receiver.AssemblyCount == 0);
            },
            60_000_000_000);
        IEnumerable<string> members = host.Members.Select(
            m => $"{m.Receiver.Contiguous} of {m.Receiver.Highest}, "
                + $"assembly {m.Receiver.AssemblyCount}/{m.Receiver.AssemblyBytes}, requests {m.Receiver.Counters.Naks}, "
                + $"no room {m.Receiver.Counters.NoRoom}, copies {m.Receiver.Counters.Duplicates}, round-trip {m.Receiver.RttNs}");
        Assert.True(
            isDone,
            $"Seed {seed}: not everything arrived. Sent {host.Sender.Highest}, floor {host.Sender.Floor}, {string.Join("; ", members)}; "
                + $"requests {host.Sender.Counters.Naks}, malformed {host.Sender.Counters.NaksMalformed}, "
                + $"repairs {host.Sender.Counters.Repairs}, suppressed {host.Sender.Counters.RepairsSuppressed}, "
                + $"refused {host.Sender.Counters.RepairsRefused}, pace {host.Sender.PaceBytesPerSecond}, "
                + $"sends refused {host.Output.Counters.SendsRefused}, now {network.Core.NowNs}.");
        foreach (StreamMember member in host.Members)
        {
            Assert.Empty(member.Skips);
            var topics = new HashSet<uint>();
            foreach ((uint topic, byte[] message) in member.Messages)
            {
                Assert.True(topics.Add(topic), $"Seed {seed}: message {topic} came twice.");
                Assert.True(message.AsSpan().SequenceEqual(sent[(int)topic].Message), $"Seed {seed}: message {topic} came changed.");
            }

            for (int i = owedFrom[member]; i < sent.Count; i++)
            {
                Assert.True(topics.Contains((uint)i), $"Seed {seed}: message {i} did not come.");
            }
        }

        Assert.All(host.Members, m => Assert.Equal((0, 0), (m.Receiver.AssemblyCount, m.Receiver.AssemblyBytes)));
    }
}
